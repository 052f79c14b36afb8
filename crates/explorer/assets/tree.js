// One critical tree: its values under both rules, the choice of each, and the probability of each outcome. Leaves can
// be changed.

import { address, ask, line, Refusal } from './api.js';
import { count, draw, find, make, number, save, tools } from './dom.js';
import { change, curves, model, onChange, rules, state } from './state.js';

const TOP = 24;
let heaviest = [];
let place = 0;

const shown = () => state.tree || heaviest[place]?.tree || '';

export async function load() {
  const asked = [...model(), ...curves(), ['rules', state.rules], ['top', String(TOP)]];
  try {
    const found = await ask('critical', 'critical', asked);
    heaviest = found.heaviest;
    place = Math.max(0, heaviest.findIndex(one => one.tree === state.tree));
    name(heaviest.length ? null : 'These rules never choose different moves here.');
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.isStale) return;
    heaviest = [];
    name(error.message);
  }
  await value();
}

function name(problem) {
  const one = heaviest[place];
  const edited = state.tree && state.tree !== one?.tree;
  find('which').textContent = edited ? 'another tree' : problem ??
    `${place + 1} of the ${heaviest.length} heaviest: ${(100 * one.share).toPrecision(3)} % of all errors, ${count(one.trees)} trees like this`;
  find('previous').disabled = place === 0;
  find('next').disabled = place >= heaviest.length - 1;
  find('draw').disabled = !heaviest.length;
}

function step(by) {
  place = Math.max(0, Math.min(heaviest.length - 1, place + by));
  change({ tree: heaviest[place]?.tree ?? '' });
}

// A random critical tree, with a probability proportional to its weight.
async function pick() {
  const seed = crypto.getRandomValues(new Uint32Array(1))[0];
  const asked = [...model(), ...curves(), ['rules', state.rules], ['draw', '1'], ['seed', String(seed)]];
  try {
    const { drawn } = await ask('draw', 'critical', asked);
    if (drawn.length) change({ tree: drawn[0].tree });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

async function value() {
  const tree = shown();
  if (!tree) {
    find('drawing').replaceChildren();
    find('choices').textContent = '\u00a0';
    find('outcomes').replaceChildren();
    return;
  }
  const asked = [['tree', tree], ...curves(), ['rules', state.rules], ...model().filter(([key]) => ['zero', 'h-max'].includes(key))];
  try {
    const found = await ask('tree', 'show', asked);
    picture(found);
    outcomes(found);
    tools(find('tree').querySelector('.tools'), line('show', asked), {
      SVG: () => save('prodmax-tree.svg', 'image/svg+xml', standalone()),
      JSON: address('show', asked, [['download', null]]), CSV: address('show', asked, [['format', 'csv'], ['download', null]]),
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (!error.isStale) find('choices').textContent = error.message;
  }
}

const shorten = value => Number.isInteger(value) && Math.abs(value) > 1 ? String(value).replace('-', '−') : value.toFixed(3);

function text(rule, node) {
  const value = node.values[rule];
  return rule === 'minimax' ? String(value).replace('-', '−') : shorten(value);
}

// Nodes come in preorder; leaves are spread evenly, every other node stands above the middle of its children.
function layout(nodes) {
  const depth = Math.max(...nodes.map(node => node.level));
  let next = 0;
  const path = [];
  for (const node of nodes) {
    node.children = [];
    path[node.level] = node;
    if (node.level > 0) path[node.level - 1].children.push(node);
    if (node.level === depth) node.at = next++;
  }
  for (const node of [...nodes].reverse()) if (node.children.length) node.at = node.children.reduce((sum, child) => sum + child.at, 0) / node.children.length;
  return { depth, leaves: next };
}

const LEVEL = 92;
// Room for a leaf: less on a narrow screen, where the drawing is not scaled down then and can still be read.
const WIDE = 62, NARROW = 48;
const room = () => innerWidth < 480 ? NARROW : WIDE;

function picture(found) {
  const { depth, leaves } = layout(found.nodes);
  const [first, second] = found.rules;
  const leafRoom = room(), width = leaves * leafRoom, height = depth * LEVEL + 48;
  const x = node => (node.at + 0.5) * leafRoom, y = node => 30 + node.level * LEVEL;
  const svg = draw('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': 'the tree with its values' });
  const moves = found.nodes.filter(node => node.level === 1);
  const firsts = new Set(found.nodes.filter(node => node.children.length > 1).map(node => node.children[0]));
  for (const node of found.nodes) for (const child of node.children) {
    svg.append(draw('line', { x1: x(node), y1: y(node), x2: x(child), y2: y(child), class: 'edge' }));
    if (node.level) continue;
    [[first, 'first', -3.5], [second, 'second', 3.5]].forEach(([rule, name, off]) => {
      if (found.choices[rule] === child.name) svg.append(draw('line', { x1: x(node) + off, y1: y(node), x2: x(child) + off, y2: y(child), class: 'edge ' + name }));
    });
  }
  for (const node of found.nodes) {
    const chosen = moves.includes(node) ? [[first, 'first'], [second, 'second']].filter(([rule]) => found.choices[rule] === node.name).map(([, name]) => name) : [];
    const leaf = node.level === depth;
    if (!leaf) {
      const up = node.mover === 'MAX', size = 17;
      const points = up ? [[0, -size], [size, size * 0.7], [-size, size * 0.7]] : [[0, size], [size, -size * 0.7], [-size, -size * 0.7]];
      svg.append(draw('polygon', { points: points.map(([dx, dy]) => (x(node) + dx) + ',' + (y(node) + dy)).join(' '), class: 'node ' + chosen.join(' ') }));
      svg.append(draw('text', { x: x(node), y: y(node) + (up ? 7 : 1), class: 'name' }, node.name));
    }
    const side = leaf ? 0 : leafRoom === WIDE ? 22 : 17, top = leaf ? 2 : node.level ? -7 : -16;
    // What a leaf is worth to minimax is in the field below it.
    const values = [[first, 'first'], [second, 'second']].filter(([rule]) => !leaf || rule !== 'minimax').map(([rule, name]) => [text(rule, node), name]);
    // Where the line from above does not pass: left of a first child, right of the others, if there is room for both.
    const end = !leaf && firsts.has(node) && (node.level === 1 || leafRoom === WIDE);
    [...values, [node.won.toFixed(3), 'won']].forEach(([value, name], line) =>
      svg.append(draw('text', { x: x(node) + (end ? -side : side), y: y(node) + top + 13 * line, class: name + (leaf ? ' leaf' : end ? ' end' : '') }, value)));
  }
  // The height and the number of columns stay while values change.
  const fields = found.leaves.map((leaf, at) => make('input', { type: 'number', value: leaf, 'aria-label': 'leaf ' + (at + 1), onchange: event => edit(found.leaves, at, event.target.value, depth) }));
  const row = make('div', { class: 'leaves' }, ...fields);
  const box = find('drawing');
  const active = [...box.querySelectorAll('input')].indexOf(document.activeElement);
  box.style.setProperty('--leaves', leaves);
  box.replaceChildren(svg, row);
  if (active >= 0) fields[active]?.focus();
}

function write(leaves, depth) {
  if (depth === 0) return String(leaves[0]);
  const b = Math.round(leaves.length ** (1 / depth)), size = leaves.length / b;
  return '(' + Array.from({ length: b }, (_, at) => write(leaves.slice(at * size, (at + 1) * size), depth - 1)).join(' ') + ')';
}

function edit(leaves, at, typed, depth) {
  const most = Number(state['h-max']), before = leaves[at];
  let value = Math.max(-most, Math.min(most, Math.round(Number(typed)) || 0));
  if (value === 0 && state.zero === 'skip') value = before < 0 ? 1 : -1;
  change({ tree: write(leaves.map((leaf, place) => place === at ? value : leaf), depth) });
}

function outcomes(found) {
  const [first, second] = rules();
  const won = name => found.nodes.find(node => node.name === name)?.won;
  const [m, p] = [first, second].map(rule => found.choices[rule]);
  const box = find('outcomes'), say = find('choices');
  if (!m || !p) {
    const idle = [!m && first, !p && second].filter(Boolean).join(' and ');
    say.textContent = idle + (idle.includes(' and ') ? ' have' : ' has') + ' no unique best move here.';
    box.replaceChildren();
    return;
  }
  say.replaceChildren(make('b', { class: 'first' }, first), ' chooses ' + m + ', ', make('b', { class: 'second' }, second), ' chooses ' + p + (found.critical ? '.' : ': the same move, so this tree is not critical.'));
  const [a, b] = [won(m), won(p)];
  const parts = m === p ? [['the move is won', a, 'both'], ['the move is lost', 1 - a, 'none']]
    : [[m + ' and ' + p + ' are won', a * b, 'both'], [`only ${m} is won: ${second} errs`, a * (1 - b), 'first'], [`only ${p} is won: ${first} errs`, (1 - a) * b, 'second'], ['both are lost', (1 - a) * (1 - b), 'none']];
  box.replaceChildren(...parts.map(([name, part, kind]) => {
    const piece = make('div', { class: kind, title: name }, make('span', {}, name), make('b', {}, number(100 * part, 2) + ' %'));
    piece.style.setProperty('--part', part);
    return piece;
  }));
}

// The drawing as a file, with its colours and leaves written into it.
function standalone() {
  const svg = find('drawing').querySelector('svg').cloneNode(true);
  const names = { 'edge': 'stroke:#9aa4ae;stroke-width:1.5', 'node': 'fill:#fff;stroke:#5b6570;stroke-width:1.5', 'first': 'fill:#0072b2', 'second': 'fill:#d55e00', 'won': 'fill:#5b6570', 'name': 'fill:#1d2126' };
  const rules = Object.entries(names).map(([name, style]) => '.' + name + '{' + style + '}').join('') +
    'text{font:11px sans-serif}.leaf,.name{text-anchor:middle}.end{text-anchor:end}line.first{stroke:#0072b2;stroke-width:4}line.second{stroke:#d55e00;stroke-width:4}polygon.first{fill:#cfe4f2}polygon.second{fill:#f8dccb}';
  svg.prepend(draw('style', {}, rules));
  const [, , width, height] = svg.getAttribute('viewBox').split(' ').map(Number);
  const fields = [...find('drawing').querySelectorAll('input')];
  fields.forEach((input, at) => svg.append(draw('text', { x: (at + 0.5) * width / fields.length, y: height + 12, class: 'leaf' }, input.value)));
  svg.setAttribute('viewBox', `0 0 ${width} ${height + 20}`);
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return new XMLSerializer().serializeToString(svg);
}

export function start() {
  find('previous').addEventListener('click', () => step(-1));
  find('next').addEventListener('click', () => step(1));
  find('draw').addEventListener('click', pick);
  onChange(changed => {
    if (!changed.includes('tree') || changed.length > 1) return;
    if (heaviest.length) name(null);
    value();
  });
}
