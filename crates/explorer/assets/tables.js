// Tables whose cells are controls: Table II, and every rule against every other.

import { address, ask, line, Refusal } from './api.js';
import { find, make, number, signed, tools } from './dom.js';
import { known } from './controls.js';
import { change, curves, DEFAULTS, model, rules, state } from './state.js';

// A cell of a heat map: blue where the first rule errs less, orange where the second does.
function cell(value, most, attributes, text) {
  const button = make('button', { type: 'button', ...attributes }, text);
  const box = make('td', { class: value > 0 ? 'first' : value < 0 ? 'second' : '' }, button);
  box.style.setProperty('--heat', Math.min(1, Math.abs(value) / most).toFixed(3));
  return box;
}

// The name of a rule, which may be broken after a colon.
const broken = rule => rule.split(/(?<=:)/).flatMap((part, at) => at ? [make('wbr'), part] : [part]);

let cells = null;

export async function table2() {
  if (!cells) {
    try { cells = (await ask('table2', 'table2', [])).cells; }
    catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (!error.isStale) find('published').replaceChildren(make('caption', {}, error.message));
      return;
    }
    const file = format => address('table2', [], [['format', format], ['download', null]]);
    tools(find('table2').querySelector('.tools'), line('table2', []), { CSV: file('csv'), JSON: file('json'), LaTeX: file('latex') });
  }
  const rows = [...new Set(cells.map(one => one.increments.join(',')))], roots = [...new Set(cells.map(one => one.root))];
  const most = Math.max(...cells.flatMap(one => [Math.abs(one.ours), Math.abs(Number(one.published))]));
  const set = one => change({ ...DEFAULTS, more: state.more, paper: state.paper, verdict: state.verdict, find: state.find, root: String(one.root), increments: one.increments.join(',') });
  const khs = Object.keys(DEFAULTS).every(key => ['root', 'increments', 'number', 'tree', 'more', 'paper', 'verdict', 'find'].includes(key) || state[key] === DEFAULTS[key]);
  const fill = (id, title, value, text) => find(id).replaceChildren(make('caption', {}, title),
    make('tr', {}, make('th', {}, 'increments'), ...roots.map(root => make('th', {}, signed(root, 0)))),
    ...rows.map(row => make('tr', {}, make('th', {}, row), ...roots.map(root => {
      const one = cells.find(one => one.root === root && one.increments.join(',') === row);
      if (!one) return make('td');
      const here = khs && state.root === String(root) && state.increments === row;
      return cell(value(one), most, { 'aria-pressed': String(here), 'data-cell': row + ' ' + root, title: 'published ' + one.published + ', ours ' + one.ours.toFixed(4) + ': ' + one.verdict, onclick: () => set(one) }, text(one));
    }))));
  fill('published', 'published', one => Number(one.published), one => one.published.replace('-', '−'));
  fill('ours', 'ours', one => one.ours, one => signed(one.ours, 1));
}

export async function contest() {
  const named = known();
  const asked = [...model(), ...curves(), ['rules', named.join(',')]];
  const file = format => address('contest', asked, [['format', format], ['download', null]]);
  tools(find('contest').querySelector('.tools'), line('contest', asked), { CSV: file('csv'), JSON: file('json'), SVG: file('svg') });
  let found;
  try { found = await ask('contest', 'contest', asked); }
  catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (!error.isStale) find('matrix').replaceChildren(make('caption', {}, error.message));
    return;
  }
  const match = (a, b) => {
    const one = found.matches.find(one => one.rules.includes(a) && one.rules.includes(b));
    return one && (one.rules[0] === a ? one.difference_percent : one.difference_percent === null ? null : -one.difference_percent);
  };
  const most = Math.max(1, ...found.matches.map(one => Math.abs(one.difference_percent ?? 0)));
  const order = found.best_first;
  find('matrix').replaceChildren(
    make('tr', {}, make('th', {}, 'best first'), make('th', {}, 'efficiency %'), ...order.map(rule => make('th', {}, ...broken(rule)))),
    ...order.map(row => make('tr', {}, make('th', {}, ...broken(row)),
      make('td', { class: 'plain' }, number(found.quality[row].efficiency === null ? null : 100 * found.quality[row].efficiency, 3)),
      ...order.map(column => {
        if (row === column) return make('td');
        const value = match(row, column);
        const here = rules()[0] === row && rules()[1] === column;
        return cell(value ?? 0, most, { 'aria-pressed': String(here), 'data-cell': row + ' ' + column, title: row + ' against ' + column, onclick: () => change({ rules: row + ',' + column }) }, value === undefined ? '·' : signed(value, 2));
      }))));
}
