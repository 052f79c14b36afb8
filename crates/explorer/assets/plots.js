// The plots, by uPlot: over roots, over c, over p, and the curves.

import { address, ask, job, line, Refusal } from './api.js';
import { find, make, number, tools } from './dom.js';
import { files } from './export.js';
import { crossoverOptions, onCrossover, options, took } from './figures.js';
import { change, curves, model, onChange, reach, rules, state } from './state.js';

const HEIGHT = 250;
const STEEPNESS = ['1/8', '1/4', '1/2', '1', '2', '4', '8', '16', '32', '64'];
const value = text => { const [n, d = 1] = text.split('/').map(Number); return n / d; };
const colour = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
const drawn = new Map();

// Draws data into a panel. Series: name, colour, and whether it is only a mark.
function plot(id, { xs, series, x, pick, log = false, places = 3, unit = '' }) {
  const panel = find(id), box = panel.querySelector('.plot');
  drawn.set(id, arguments[1]);
  const ink = colour('faint'), grid = { stroke: colour('rule'), width: 1 };
  const old = box.uplot;
  const axis = more => ({ stroke: ink, grid, ticks: grid, font: '12px system-ui', ...more });
  const settings = {
    width: Math.max(260, box.clientWidth), height: HEIGHT,
    scales: { x: { time: false, distr: log ? 3 : 1, log: 2 }, y: { range: (_, low, high) => {
      if (low === null) return [0, 1];
      const room = (high - low || 1) * 0.08;
      return [Math.min(low - room, low < 0 || places < 3 ? low - room : 0), Math.max(high + room, high < 0 ? 0 : high + room)];
    } } },
    axes: [axis({ label: x, labelSize: 18, labelFont: '12px system-ui', values: log ? (_, ticks) => ticks.map(tick => tick === null ? '' : tick < 1 ? '1/' + 1 / tick : tick) : undefined }),
      axis({ size: 58, values: (_, ticks) => ticks.map(tick => Math.abs(tick) >= 1e5 ? tick.toExponential(0) : String(Number(tick.toPrecision(6)))) })],
    series: [{ label: x, value: (_, at) => at === null ? '–' : log ? (at < 1 ? '1/' + 1 / at : at) : Number(at.toFixed(4)) }, ...series.map(one => ({
      label: one.name, stroke: colour(one.colour), width: one.mark ? 0 : 2, spanGaps: !one.mark,
      paths: one.mark ? () => null : undefined,
      points: one.mark ? { show: true, size: 11, width: 2.5, fill: colour('card') } : { show: xs.length < 60, size: 5, fill: colour(one.colour) },
      value: (_, at) => at === null || at === undefined ? '–' : number(at, places) + unit,
    }))],
    legend: { live: true }, cursor: { y: false, drag: { x: false, y: false }, focus: { prox: 30 } },
  };
  old?.destroy();
  const chart = new uPlot(settings, [xs, ...series.map(one => one.ys)], box);
  box.uplot = chart;
  if (pick) chart.over.addEventListener('click', () => { if (chart.cursor.idx != null) pick(chart.cursor.idx); });
  box.classList.remove('stale');
  box.dataset.points = xs.length;
}

function refused(id, error) {
  if (!(error instanceof Refusal)) throw error;
  if (error.isStale) return;
  const box = find(id).querySelector('.plot');
  box.uplot?.destroy();
  box.uplot = null;
  drawn.delete(id);
  box.replaceChildren(error.message);
  delete box.dataset.points;
}

function clear(id) {
  const box = find(id).querySelector('.plot');
  if (!box.uplot) box.replaceChildren();
}

// If one figure is slow, many of them are computed only on request.
const SLOW = 500;
function isOffered(id, times, load) {
  if (took < SLOW) return false;
  const box = find(id).querySelector('.plot');
  box.uplot?.destroy();
  box.uplot = null;
  drawn.delete(id);
  const time = Number.isFinite(took) ? 'This takes about ' + Math.ceil(times * took / 1000) + ' s.' : 'The figures above take too long to draw many of them.';
  box.replaceChildren(make('p', {}, time), make('button', { type: 'button', onclick: () => { box.replaceChildren('…'); load(true); } }, 'draw it'));
  return true;
}

// The answer of a job, whose progress is shown in place of the plot. Another model stops it.
let stopLong = null;
function long(id, command, asked) {
  const box = find(id).querySelector('.plot');
  return new Promise((resolve, reject) => {
    stopLong = job(id, command, asked, (name, data) => {
      if (name === 'progress') box.textContent = data.seconds.toFixed(0) + ' s …';
      else if (name === 'done') resolve(data);
      else if (name !== 'note') reject(new Refusal(data.error, false, false));
    });
  });
}

export async function overRoots(isWanted = false) {
  if (!isWanted && isOffered('panel-roots', 41, overRoots)) return;
  const [low, high] = reach();
  const asked = options().map(([key, value]) => key === 'root' ? [key, low + '..' + high] : [key, value]);
  const file = format => address('mass', asked, [['format', format], ['download', null]]);
  tools(find('panel-roots').querySelector('.tools'), line('mass', asked), { CSV: file('csv'), JSON: file('json'), SVG: file('svg') });
  try {
    const found = isWanted ? await long('panel-roots', 'mass', asked) : await ask('roots', 'mass', asked);
    clear('panel-roots');
    const xs = found.map(one => one.root);
    plot('panel-roots', {
      xs, x: 'root', unit: ' %',
      series: [{ name: 'difference', colour: 'third', ys: found.map(one => one.difference_percent) },
        { name: 'here', colour: 'ink', mark: true, ys: found.map(one => one.root === Number(state.root) ? one.difference_percent : null) }],
      pick: at => change({ root: String(xs[at]) }),
    });
  } catch (error) { refused('panel-roots', error); }
}

// Two lines: over the c of the truth, and over that of the estimate.
export async function overSteepness(isWanted = false) {
  if (!isWanted && isOffered('panel-steepness', 20, overSteepness)) return;
  const names = ['truth', 'estimate'];
  const asked = (name, c) => options().map(([key, value]) => key === name ? [key, 'arctan:' + c] : [key, value]);
  const one = async (name, c) => (await ask('c-' + name + '-' + STEEPNESS.indexOf(c), 'mass', asked(name, c))).difference_percent;
  try {
    const lines = [];
    for (const name of names) lines.push(await Promise.all(STEEPNESS.map(c => one(name, c))));
    clear('panel-steepness');
    const xs = STEEPNESS.map(value);
    const shown = {
      xs, x: 'c', log: true, unit: ' %',
      series: names.map((name, at) => ({ name: 'c of the ' + name, colour: at ? 'product' : 'minimax', ys: lines[at] })),
      pick: at => change({ truth: 'arctan:' + STEEPNESS[at] }),
    };
    plot('panel-steepness', shown);
    tools(find('panel-steepness').querySelector('.tools'), line('mass', asked('truth', '2')), files('difference-over-c', 'Difference in percent over the steepness c', shown));
  } catch (error) { refused('panel-steepness', error); }
}

const evaluate = ({ coefficients, denominator }, p) => coefficients.reduceRight((sum, c) => sum * p + Number(c), 0) / Number(denominator);

// The masses are polynomials in p, with exact coefficients.
function overRates(found, reason) {
  const asked = crossoverOptions();
  if (!found) {
    refused('panel-masses', new Refusal(reason, false, false));
    find('crossing').textContent = '\u00a0';
    tools(find('panel-masses').querySelector('.tools'), line('crossover', asked), {});
    return;
  }
  const crossings = found.thresholds.map(one => one.p).filter(p => p <= 0.5);
  const xs = [...new Set([...Array.from({ length: 101 }, (_, at) => at / 200), ...crossings])].sort((a, b) => a - b);
  const masses = rules().map(rule => xs.map(p => evaluate(found.errors[rule], p)));
  clear('panel-masses');
  const shown = {
    xs, x: 'error rate p', places: 0,
    series: [...rules().map((rule, at) => ({ name: rule, colour: at ? 'product' : 'minimax', ys: masses[at] })),
      { name: 'crossing', colour: 'ink', mark: true, ys: xs.map((p, at) => crossings.includes(p) ? masses[0][at] : null) }],
  };
  plot('panel-masses', shown);
  find('crossing').textContent = crossings.length ? 'They cross at p = ' + crossings.map(p => number(p, 6)).join(', ') + '.' : 'They do not cross between 0 and 1/2.';
  find('panel-masses').querySelector('.plot').dataset.crossing = crossings.join(' ');
  tools(find('panel-masses').querySelector('.tools'), line('crossover', asked),
    { ...files('error-masses-over-p', 'Error masses over the error rate p', shown), JSON: address('crossover', asked, [['download', null]]) });
}

// The same beside the controls that set them.
let mini = null;
function small(xs, lines) {
  const box = find('mini');
  if (mini && mini.width === box.clientWidth && mini.colour === colour('third')) { mini.setData([xs, ...lines]); return; }
  mini?.destroy();
  const one = (label, stroke) => ({ label, stroke: colour(stroke), width: 2, points: { show: false }, value: (_, at) => at == null ? '–' : at.toFixed(3) });
  const settings = {
    width: box.clientWidth, height: 84, scales: { x: { time: false }, y: { range: [0, 1] } }, axes: [{ show: false }, { show: false }],
    series: [{ label: 'h', value: (_, at) => at ?? '–' }, one('truth', 'third'), one('estimate', 'fourth')], cursor: { y: false, drag: { x: false, y: false } },
  };
  mini = new uPlot(settings, [xs, ...lines], box);
  mini.colour = colour('third');
}

// The leaves of one wide tree, valued by the program, are the curves.
export async function theCurves() {
  const most = Number(state['h-max']);
  const xs = Array.from({ length: 2 * most + 1 }, (_, at) => at - most).filter(h => h !== 0 || state.zero === 'allow');
  const asked = [['tree', '(' + xs.join(' ') + ')'], ...curves(), ...model().filter(([key]) => ['zero', 'h-max'].includes(key))];
  try {
    const found = await ask('curves', 'show', asked);
    clear('panel-curves');
    const leaves = found.nodes.slice(1);
    const lines = [leaf => leaf.won, leaf => leaf.values.product].map(value => leaves.map(value));
    const shown = {
      xs, x: 'heuristic value h', places: 4,
      series: [{ name: 'truth ' + state.truth, colour: 'third', ys: lines[0] }, { name: 'estimate ' + state.estimate, colour: 'fourth', ys: lines[1] }],
    };
    plot('panel-curves', shown);
    small(xs, lines);
    tools(find('panel-curves').querySelector('.tools'), line('show', asked), files('curves', 'The curves', shown));
  } catch (error) { refused('panel-curves', error); }
}

export function start() {
  onCrossover(overRates);
  onChange(changed => { if (changed.some(key => !['paper', 'verdict', 'find', 'tree'].includes(key))) { stopLong?.(); stopLong = null; } });
  const again = () => { for (const [id, one] of [...drawn]) plot(id, one); };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
  new ResizeObserver(() => {
    for (const id of drawn.keys()) {
      const box = find(id).querySelector('.plot');
      if (box.uplot && Math.abs(box.uplot.width - Math.max(260, box.clientWidth)) > 1) box.uplot.setSize({ width: Math.max(260, box.clientWidth), height: HEIGHT });
    }
  }).observe(find('plots'));
}
