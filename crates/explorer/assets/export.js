// What a plot shows, as files: CSV, JSON and SVG.

import { csv, draw, save } from './dom.js';

const WIDTH = 640, HEIGHT = 400, LEFT = 80, TOP = 34, RIGHT = 20, BOTTOM = 56;
const COLOURS = { minimax: '#0072b2', product: '#d55e00', third: '#009e73', fourth: '#a8548a', ink: '#1d2126' };

// Round numbers between two others.
function ticks(low, high) {
  const step = 10 ** Math.floor(Math.log10((high - low) / 4));
  const wide = [1, 2, 5, 10].map(times => times * step).find(wide => (high - low) / wide <= 6) ?? step;
  const found = [];
  for (let at = Math.ceil(low / wide) * wide; at <= high + wide / 1e6; at += wide) found.push(Number(at.toPrecision(9)));
  return found;
}

function picture(title, { xs, series, x, log }) {
  const values = series.flatMap(one => one.ys).filter(value => value !== null);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const along = log ? Math.log2 : value => value;
  const [left, right] = [along(xs[0]), along(xs.at(-1))];
  const px = value => LEFT + (along(value) - left) / (right - left || 1) * (WIDTH - LEFT - RIGHT);
  const py = value => HEIGHT - BOTTOM - (value - low) / (high - low || 1) * (HEIGHT - TOP - BOTTOM);
  const svg = draw('svg', { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, 'font-family': 'sans-serif', 'font-size': 12 });
  svg.append(draw('title', {}, title), draw('rect', { width: WIDTH, height: HEIGHT, fill: '#ffffff' }));
  const write = (text, at, more = {}) => svg.append(draw('text', { x: at[0], y: at[1], fill: '#5b6570', ...more }, text));
  for (const value of ticks(low, high)) {
    svg.append(draw('line', { x1: LEFT, x2: WIDTH - RIGHT, y1: py(value), y2: py(value), stroke: '#d9dde2' }));
    write(Math.abs(value) >= 1e5 ? value.toExponential(1) : String(value), [LEFT - 8, py(value) + 4], { 'text-anchor': 'end' });
  }
  for (const value of log ? xs : ticks(left, right)) write(value < 1 && log ? '1/' + 1 / value : String(value), [px(value), HEIGHT - BOTTOM + 18], { 'text-anchor': 'middle' });
  write(x, [(LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12], { 'text-anchor': 'middle' });
  series.forEach((one, at) => {
    const colour = COLOURS[one.colour];
    const points = xs.map((value, place) => [value, one.ys[place]]).filter(([, y]) => y !== null);
    if (one.mark) for (const [value, y] of points) svg.append(draw('circle', { cx: px(value), cy: py(y), r: 5, fill: '#ffffff', stroke: colour, 'stroke-width': 2 }));
    else svg.append(draw('polyline', { points: points.map(([value, y]) => px(value).toFixed(2) + ',' + py(y).toFixed(2)).join(' '), fill: 'none', stroke: colour, 'stroke-width': 2 }));
    write(one.name, [LEFT + at * 180, 20], { fill: colour, 'font-weight': 600 });
  });
  return new XMLSerializer().serializeToString(svg);
}

// Buttons for the tools of a panel: its plot as it is drawn.
export function files(name, title, plot) {
  const lines = plot.series.filter(one => !one.mark);
  const columns = [plot.xs, ...lines.map(one => one.ys)];
  return {
    CSV: () => save(name + '.csv', 'text/csv', csv([[plot.x, ...lines.map(one => one.name)], ...plot.xs.map((_, at) => columns.map(column => column[at]))])),
    JSON: () => save(name + '.json', 'application/json', JSON.stringify({ [plot.x]: plot.xs, ...Object.fromEntries(lines.map(one => [one.name, one.ys])) }, null, 2) + '\n'),
    SVG: () => save(name + '.svg', 'image/svg+xml', picture(title, plot)),
  };
}
