// What the page shows, kept in the address bar so that a view can be sent as a link.

export const DEFAULTS = {
  root: '-1', increments: '8,8,8', zero: 'skip', branching: '2', 'h-max': '42',
  truth: 'arctan:4', estimate: 'arctan:1', rules: 'minimax,product', number: 'f64',
  tree: '', more: '', paper: '', verdict: '', find: '',
};

export const state = { ...DEFAULTS };
const listeners = [];
let writing = 0;

function read() {
  const query = new URLSearchParams(location.search);
  for (const key of Object.keys(DEFAULTS)) state[key] = query.get(key) ?? DEFAULTS[key];
}

function write() {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(state)) if (value !== DEFAULTS[key]) query.set(key, value);
  // Commas, colons and slashes need no escape, and links are easier to read without.
  const text = query.toString().replace(/%2C/g, ',').replace(/%3A/g, ':').replace(/%2F/g, '/');
  history.replaceState(null, '', (text ? '?' + text : location.pathname) + location.hash);
}

// Changes some values and notifies all listeners. If the model changes, the shown tree is dropped.
export function change(values) {
  const before = { ...state };
  Object.assign(state, values);
  const changed = Object.keys(state).filter(key => state[key] !== before[key]);
  if (!changed.length) return;
  const filters = ['paper', 'verdict', 'find', 'tree', 'more'];
  if (!('tree' in values) && changed.some(key => !filters.includes(key))) state.tree = '';
  // Browsers allow few changes of the address per second.
  clearTimeout(writing);
  writing = setTimeout(write, 120);
  for (const listen of listeners) listen(changed);
}

export function onChange(listen) { listeners.push(listen); }

export function increments() { return state.increments.split(',').map(Number); }

export function rules() { return state.rules.split(','); }

// The options that name the model.
export function model() {
  const options = [['root', state.root], ['increments', state.increments]];
  for (const key of ['zero', 'branching', 'h-max']) if (state[key] !== DEFAULTS[key]) options.push([key, state[key]]);
  return options;
}

export function curves() { return [['truth', state.truth], ['estimate', state.estimate]]; }

// The least and the greatest root with which every leaf lies on the line, at most 20 from the middle.
export function reach() {
  const most = Number(state['h-max']);
  let up = 0, down = 0;
  increments().forEach((a, level) => { if (level % 2) down += a; else up += a; });
  return [Math.max(-20, down - most), Math.min(20, most - up)];
}

read();
addEventListener('popstate', () => { read(); for (const listen of listeners) listen(Object.keys(DEFAULTS)); });
