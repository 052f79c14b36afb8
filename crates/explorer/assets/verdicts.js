// The verdict on every published figure.

import { address, ask, line, Refusal } from './api.js';
import { find, make, tools } from './dom.js';
import { change, onChange, state } from './state.js';

let entries = null;

// The paper is the first word of the source, a name; our own figures have none.
function paper(entry) {
  const [word] = entry.source.split(/[ ,:]/);
  return /^[A-Z]/.test(word) ? word : 'others and beyond';
}

// Figures with few digits, for reading; files and titles have all of them. An error has two digits, its figure as many
// places.
function round(text) {
  const parts = text.match(/^(-?\d+\.\d+) ± (\d+\.\d+)$/);
  if (parts) {
    const [figure, error] = parts.slice(1).map(Number);
    const places = error > 0 ? Math.max(0, Math.min(6, 1 - Math.floor(Math.log10(error)))) : 6;
    return figure.toFixed(places) + ' ± ' + error.toFixed(places);
  }
  if (/^-?\d+\.\d{6,}$/.test(text)) return String(Number(Number(text).toFixed(6)));
  return text.length > 20 ? text.slice(0, 19) + '…' : text;
}

export async function load() {
  if (entries) return;
  try { entries = await ask('verdicts', 'check', [['each', null]]); }
  catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (!error.isStale) find('count').textContent = error.message;
    return;
  }
  const options = list => [...new Set(list)].sort().map(name => make('option', { value: name }, name));
  find('paper').replaceChildren(make('option', { value: '' }, 'all'), ...options(entries.map(paper)));
  find('kind').replaceChildren(make('option', { value: '' }, 'all'), ...options(entries.map(one => one.verdict)));
  const file = format => address('check', [['each', null]], [['format', format], ['download', null]]);
  tools(find('verdicts').querySelector('.tools'), 'prodmax check --recorded --each', { CSV: file('csv'), JSON: file('json') });
  show();
}

function show() {
  if (!entries) return;
  find('paper').value = state.paper;
  find('kind').value = state.verdict;
  if (document.activeElement !== find('find')) find('find').value = state.find;
  const wanted = state.find.toLowerCase();
  const chosen = entries.filter(one => (!state.paper || paper(one) === state.paper) && (!state.verdict || one.verdict === state.verdict) &&
    (!wanted || (one.id + ' ' + one.source + ' ' + one.result).toLowerCase().includes(wanted)));
  find('count').textContent = chosen.length + ' of ' + entries.length + ' figures';
  find('entries').replaceChildren(make('thead', {}, make('tr', {}, ...['figure', 'published', 'ours', 'verdict'].map(name => make('th', {}, name)))),
    make('tbody', {}, ...chosen.map(one => make('tr', { title: one.source }, make('td', {}, one.id, make('small', {}, one.source)), make('td', { class: 'number', title: one.published }, round(one.published || '–')), make('td', { class: 'number', title: one.ours }, round(one.ours)),
      make('td', { class: 'verdict ' + one.verdict }, one.verdict, one.remark && make('small', {}, one.remark))))));
}

export function start() {
  find('paper').addEventListener('change', event => change({ paper: event.target.value }));
  find('kind').addEventListener('change', event => change({ verdict: event.target.value }));
  find('find').addEventListener('input', event => change({ find: event.target.value }));
  onChange(changed => { if (changed.some(key => ['paper', 'verdict', 'find'].includes(key))) show(); });
}
