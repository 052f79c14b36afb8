// The controls: what is set, shown and changed.

import { choice, find, make } from './dom.js';
import { change, DEFAULTS, increments, onChange, rules, state } from './state.js';

const STEEPNESS = ['1/8', '1/4', '1/2', '1', '3/2', '2', '3', '4', '6', '8', '12', '16', '32', '64'];
const RATES = ['0', '1/100', '1/50', '1/35', '1/20', '1/10', '3/20', '1/5', '1/4', '3/10', '7/20', '2/5', '9/20', '1/2'];
const KINDS = [['arctan', 'arctan:c, eq. (2)'], ['pearl', 'pearl:c, not normalised'], ['uniform', 'uniform:p, one error rate']];
export const RULES = ['minimax', 'product', 'average:1/2', 'mean:2', 'mean:4', 'baum:9/10:9/10', 'hints:9/10', 'ideal'];

// All rules to choose from: the usual ones and what the user has added.
export function known() {
  return [...new Set([...RULES, ...state.more.split(' ').filter(Boolean), ...rules()])];
}

const value = text => { const [n, d = 1] = text.split('/').map(Number); return n / d; };
const nearest = (list, text) => list.reduce((best, item, at) => Math.abs(value(item) - value(text)) < Math.abs(value(list[best]) - value(text)) ? at : best, 0);

function curve(name) {
  const kind = make('select', { 'aria-label': name + ', kind', onchange: () => set(kind.value, kind.value === 'uniform' ? '1/20' : '4') },
    ...KINDS.map(([key, text]) => make('option', { value: key }, text)));
  const list = () => kind.value === 'uniform' ? RATES : STEEPNESS;
  const slide = make('input', { type: 'range', min: 0, max: STEEPNESS.length - 1, 'aria-label': name + ', parameter',
    oninput: () => set(kind.value, list()[slide.value]) });
  const text = make('input', { type: 'text', 'aria-label': name + ', parameter, exact', spellcheck: 'false', onchange: () => set(kind.value, text.value.trim()) });
  const set = (kind, parameter) => change({ [name]: kind + ':' + parameter });
  find(name).replaceChildren(make('label', { class: 'row' }, make('span', {}, name), kind), make('label', { class: 'slide' }, make('span', { class: 'parameter' }, 'c'), slide, text));
  return () => {
    const [now, parameter = ''] = state[name].split(/:(.*)/s);
    kind.value = now;
    find(name).querySelector('.parameter').textContent = now === 'uniform' ? 'p' : 'c';
    slide.value = nearest(list(), parameter);
    if (document.activeElement !== text) text.value = parameter;
  };
}

// One slider for each level.
function levels() {
  const box = find('increments');
  const now = increments();
  if (box.children.length !== now.length) {
    box.replaceChildren(...now.map((_, level) => {
      const set = text => { const all = increments(); all[level] = Math.max(0, Math.round(Number(text)) || 0); change({ increments: all.join(',') }); };
      const slide = make('input', { type: 'range', min: 0, max: 10, 'aria-label': 'increment of level ' + (level + 1), oninput: event => set(event.target.value) });
      const exact = make('input', { type: 'number', min: 0, max: 42, 'aria-label': 'increment of level ' + (level + 1) + ', exact', onchange: event => set(event.target.value) });
      return make('label', { class: 'slide' }, make('span', {}, 'increment ' + (level + 1)), slide, exact);
    }));
  }
  now.forEach((a, level) => { for (const input of box.children[level].querySelectorAll('input')) if (input.value !== String(a)) input.value = a; });
}

export function start() {
  const root = find('root'), slide = find('root-slide');
  const skip = (to, from) => to === 0 && state.zero === 'skip' ? (from < 0 ? 1 : -1) : to;
  slide.addEventListener('input', () => change({ root: String(skip(Number(slide.value), Number(state.root))) }));
  root.addEventListener('change', () => change({ root: String(skip(Math.round(Number(root.value)) || 0, Number(state.root))) }));
  const depth = choice(find('depth'), 'depth', [1, 2, 3, 4, 5].map(d => [String(d), String(d)]), picked => {
    const now = increments();
    change({ increments: Array.from({ length: Number(picked) }, (_, level) => now[level] ?? now.at(-1)).join(',') });
  });
  const zero = choice(find('zero'), 'zero', [['skip', 'skipped'], ['allow', 'exists']], picked =>
    change({ zero: picked, root: picked === 'skip' && state.root === '0' ? '1' : state.root }));
  const number = choice(find('number'), 'number', [['f64', 'doubles'], ['certified', 'certified'], ['exact', 'exact']], picked => change({ number: picked }));
  const branching = find('branching');
  branching.addEventListener('change', () => change({ branching: String(Math.max(1, Math.round(Number(branching.value)) || 2)) }));
  const draws = ['truth', 'estimate'].map(curve);
  const pair = [find('first'), find('second')];
  pair.forEach(select => select.addEventListener('change', () => change({ rules: pair.map(select => select.value).join(',') })));
  find('swap').addEventListener('click', () => change({ rules: rules().reverse().join(',') }));
  find('reset').addEventListener('click', () => change({ ...DEFAULTS }));
  find('controls').addEventListener('submit', event => event.preventDefault());
  const another = find('another');
  another.addEventListener('change', () => {
    const rule = another.value.trim();
    if (rule && !/[ ,]/.test(rule)) change({ more: [...new Set([...state.more.split(' ').filter(Boolean), rule])].join(' '), rules: rules()[0] + ',' + rule });
    another.value = '';
  });
  const show = () => {
    slide.value = state.root;
    if (document.activeElement !== root) root.value = state.root;
    depth(String(increments().length));
    levels();
    zero(state.zero);
    number(state.number);
    branching.value = state.branching;
    draws.forEach(draw => draw());
    pair.forEach((select, at) => {
      const all = known();
      if (select.children.length !== all.length) select.replaceChildren(...all.map(rule => make('option', { value: rule }, rule)));
      select.value = rules()[at];
    });
  };
  show();
  onChange(show);
}
