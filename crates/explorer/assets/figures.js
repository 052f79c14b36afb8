// The figures of the model as it is set, each with its definition.

import { address, ask, job, line, Refusal } from './api.js';
import { count, find, make, number, signed, tools } from './dom.js';
import { curves, model, onChange, state } from './state.js';

const CARDS = [
  ['critical', 'critical trees', 'Ordered trees in which each rule has a unique best move and these two differ. The first rule chooses M, the second P. Which trees these are is proved, not computed with rounding.'],
  ['difference', 'difference %', 'Share of the second rule in the errors minus share of the first one: 100 (e₂ − e₁) / (e₁ + e₂). Above zero the first rule errs less, below zero the second one. Relative to the errors, and without ties: it can be large where little is won.'],
  ['first', 'error mass', 'Error mass of the first rule: the sum of Pr(M lost) Pr(P won) over all critical trees, by the truth curve.'],
  ['second', 'error mass', 'Error mass of the second rule: the sum of Pr(M won) Pr(P lost) over all critical trees, by the truth curve.'],
  ['share', 'share of errors %', 'The errors of the first rule in percent of the errors of both.'],
  ['case', 'per critical tree %', '100 (e₂ − e₁) divided by the number of critical trees: how much more often one rule errs in one of them.'],
  ['efficiency1', 'efficiency %', 'Of the first rule: what it wins beyond a random choice in percent of what the ideal rule, which sees the truth, wins beyond it. Over all trees.'],
  ['efficiency2', 'efficiency %', 'Of the second rule: what it wins beyond a random choice in percent of what the ideal rule, which sees the truth, wins beyond it. Over all trees.'],
  ['threshold', 'threshold p*', 'If every leaf is evaluated wrongly with the same probability p, the rate at which the error masses are equal. It does not depend on the truth curve.'],
  ['trees', 'all trees', 'Ordered trees of the model: every root move, every increment at every node.'],
];

const cards = new Map();
let stopJob = null;

// How long the figures took, in milliseconds; infinite if there are none.
export let took = Infinity;

function define(button, text) {
  const box = find('definition');
  box.replaceChildren(text);
  const place = button.getBoundingClientRect();
  box.style.left = Math.max(8, Math.min(place.left, innerWidth - 330)) + 'px';
  box.style.top = place.bottom + 6 + 'px';
  box.showPopover();
}

function build() {
  find('cards').replaceChildren(...CARDS.map(([key, name, text]) => {
    const value = make('output', { id: 'figure-' + key }, '…'), more = make('small', {}, '\u00a0'), title = make('span', {}, name);
    cards.set(key, { value, more, title });
    const ask = make('button', { type: 'button', class: 'ask', 'aria-label': 'definition of ' + name, onclick: event => define(event.currentTarget, text) }, '?');
    return make('div', { class: 'card ' + key }, make('h3', {}, title, ask), value, more);
  }));
}

function put(key, value, more = '\u00a0', title = null) {
  const card = cards.get(key);
  card.value.textContent = value;
  card.value.classList.toggle('long', value.length > 12);
  card.more.textContent = more || '\u00a0';
  card.more.title = more;
  if (title) card.title.textContent = title;
}

export function options() {
  const more = state.number === 'f64' ? [] : [['number', state.number]];
  return [...model(), ...curves(), ['rules', state.rules], ...more];
}

// What is known of a figure, by its path: its interval, fraction or margin.
function beside(found, ...path) {
  const known = path.reduce((inner, key) => inner?.[key], found.known);
  if (!known) return '';
  if (known.fraction !== undefined) return known.fraction;
  if (known.low !== undefined) return 'in [' + known.low + ', ' + known.high + ']';
  return '± ' + Number(known.bound ?? known.margin).toPrecision(2);
}

// Critical trees as a share of all; by the law they are not counted.
function criticalShare(found) {
  return found.critical === null ? found.critical_share : Number(found.critical) / Number(found.trees);
}

function show(found, milliseconds) {
  const [first, second] = found.rules;
  const percent = (100 * criticalShare(found)).toFixed(3) + ' % of all';
  const critical = found.critical === null ? percent : count(found.critical);
  cards.get('trees').value.title = found.trees;
  cards.get('critical').value.title = found.critical ?? '';
  find('glance').textContent = 'difference ' + signed(found.difference_percent, 3) + ' %, ' + critical + ' critical trees';
  put('trees', count(found.trees), milliseconds === null ? 'by a job' : milliseconds.toFixed(0) + ' ms');
  const kind = found.engine !== 'law' ? '' : found.number === 'certified' ? ', bounds' : ', estimate';
  put('critical', critical, found.critical === null ? kind.slice(2) : percent);
  put('first', number(found.errors[first]), beside(found, 'errors', first), 'error mass of ' + first);
  put('second', number(found.errors[second]), beside(found, 'errors', second), 'error mass of ' + second);
  put('difference', signed(found.difference_percent, 4), beside(found, 'difference_percent'));
  put('share', number(found.share_percent, 3), beside(found, 'share_percent'), 'share of ' + first + ' %');
  put('case', signed(found.per_case_percent, 4), beside(found, 'per_case_percent'));
  for (const [key, rule] of [['efficiency1', first], ['efficiency2', second]]) {
    const quality = found.quality?.[rule];
    put(key, quality?.efficiency == null ? '–' : number(100 * quality.efficiency, 3),
      quality ? 'wins ' + (100 * quality.won).toFixed(3) + ' %' : 'not measured', 'efficiency of ' + rule + ' %');
  }
  find('verdict').replaceChildren(...verdict(found));
}

// Who wins more over all trees, and who errs less where the rules choose different moves: two measures, which can disagree,
// because ties count only in the first.
function verdict(found) {
  const name = rule => make('b', { class: rule ? 'second' : 'first' }, found.rules[rule]);
  const parts = [];
  const [first, second] = found.rules.map(rule => found.quality?.[rule]?.won);
  // Estimates have margins.
  const margin = found.rules.reduce((sum, rule) => sum + (found.known.quality?.[rule]?.won?.margin ?? 0), 0);
  const lead = Math.abs(first - second) <= margin ? 0 : first - second;
  if (lead) {
    const more = lead < 0 ? 1 : 0, won = [first, second].map(won => (100 * won).toFixed(3));
    parts.push(name(more), ' wins more: ' + won[more] + ' % of its decisions, ', name(1 - more), ' ' + won[1 - more] + ' %. ');
  } else if (lead === 0) parts.push(margin ? 'Which rule wins more is not certain. ' : 'Both rules win equally often. ');
  const difference = found.difference_percent;
  if (criticalShare(found) === 0) parts.push('These rules never choose different moves here.');
  else if (!difference) parts.push('Where they choose different moves, both err equally.');
  else {
    const less = difference < 0 ? 1 : 0;
    const part = less ? found.share_percent : 100 - found.share_percent;
    parts.push('Where they choose different moves, ', name(1 - less), ' makes ' + part.toFixed(2) + ' % of the errors.');
    if (lead * difference < 0) parts.push(' The measures disagree: ties, which a rule settles by chance, count only in the first one.');
  }
  return parts;
}

function refuse(refusal) {
  for (const [key] of CARDS) if (key !== 'threshold') put(key, '–');
  find('glance').textContent = '–';
  find('verdict').textContent = refusal.isLong ? 'This takes a while.' : 'This cannot be computed.';
  find('problem').textContent = refusal.message;
  find('problem').hidden = false;
  find('job').hidden = !refusal.isLong;
  find('job-text').textContent = '';
}

// Asks for the figures; returns whether there are any.
export async function load(extra = []) {
  const begun = performance.now();
  try {
    const found = await ask('mass', 'mass', [...options(), ...extra]);
    find('problem').hidden = true;
    // After an estimate the exact figures can still be asked for.
    find('job').hidden = !extra.length;
    took = performance.now() - begun;
    show(found, took);
    document.body.dataset.shown = location.search + ' ' + Math.round(performance.now() - begun);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (!error.isStale) { took = Infinity; refuse(error); }
    return false;
  } finally {
    threshold();
    const asked = options();
    const file = format => address('mass', asked, [['format', format], ['download', null]]);
    tools(document.querySelector('#figures .tools'), line('mass', asked), { CSV: file('csv'), JSON: file('json'), LaTeX: file('latex') });
  }
}

let polynomials = null;
const watchers = [];
export function onCrossover(watch) { watchers.push(watch); }
export function crossoverOptions() {
  return [...model(), ['estimate', state.estimate], ['rules', state.rules]];
}

// The threshold is part of another command, and of the plot over p.
async function threshold() {
  try {
    const found = await ask('crossover', 'crossover', crossoverOptions());
    polynomials = found;
    const [least] = found.thresholds;
    put('threshold', least ? number(least.p, 5) : 'none', found.known.thresholds?.[0]?.p?.fraction ?? (found.thresholds.length > 1 ? found.thresholds.length + ' crossings' : ''));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.isStale) return;
    polynomials = null;
    put('threshold', '–', error.message);
  }
  for (const watch of watchers) watch(polynomials, cards.get('threshold').more.textContent);
}

function run() {
  find('job-start').hidden = true;
  find('job-estimate').hidden = true;
  find('job-stop').hidden = false;
  const bar = find('job-bar');
  bar.hidden = false;
  bar.removeAttribute('value');
  const end = text => {
    stopJob = null;
    find('job-start').hidden = false;
    find('job-estimate').hidden = false;
    find('job-stop').hidden = true;
    bar.hidden = true;
    find('job-text').textContent = text;
  };
  stopJob = job('mass', 'mass', options(), (name, data) => {
    if (name === 'progress') {
      if (data.all) bar.value = data.done / data.all;
      find('job-text').textContent = data.name + ', ' + data.seconds.toFixed(1) + ' s';
    } else if (name === 'done') {
      end('');
      find('problem').hidden = true;
      find('job').hidden = true;
      show(data, null);
    } else if (name === 'stopped') end('stopped');
    else if (name === 'failed') end(data.error);
  });
}

export function start() {
  build();
  find('job-start').addEventListener('click', run);
  find('job-stop').addEventListener('click', () => stopJob?.());
  find('job-estimate').addEventListener('click', () => load([['engine', 'law']]));
  // A job is for the model for which it was started.
  onChange(changed => { if (stopJob && changed.some(key => !['paper', 'verdict', 'find', 'tree'].includes(key))) stopJob(); });
}
