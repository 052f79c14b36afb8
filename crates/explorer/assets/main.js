// Starts the page, and loads what is on the screen when something has changed.

import * as controls from './controls.js';
import * as figures from './figures.js';
import * as plots from './plots.js';
import * as tables from './tables.js';
import * as tree from './tree.js';
import * as verdicts from './verdicts.js';
import { drop } from './api.js';
import { onChange } from './state.js';

const FILTERS = ['paper', 'verdict', 'find', 'tree'];

// The panels that are loaded when they come into view, and again when the model changes.
const PANELS = [
  ['panel-roots', plots.overRoots], ['panel-steepness', plots.overSteepness],
  ['tree', tree.load], ['contest', tables.contest], ['table2', tables.table2], ['verdicts', verdicts.load],
].map(([id, load]) => ({ element: document.getElementById(id), load, stale: true, visible: false }));

let turn = 0;
let isReady = false;

// One after the other: the figures that are asked for next come before all of this.
async function rest() {
  if (!isReady) return;
  const mine = ++turn;
  for (const panel of PANELS) {
    if (!panel.stale || !panel.visible) continue;
    panel.stale = false;
    await panel.load();
    if (mine !== turn) return;
  }
  document.body.dataset.settled = String(mine);
}

let waiting = 0;
function later(milliseconds) {
  clearTimeout(waiting);
  waiting = setTimeout(rest, milliseconds);
}

async function live(changed) {
  ++turn;
  delete document.body.dataset.settled;
  for (const panel of PANELS) panel.stale = true;
  clearTimeout(waiting);
  drop();
  // The curves stand beside the controls and take no time.
  if (changed.some(key => ['truth', 'estimate', 'zero', 'h-max'].includes(key))) plots.theCurves();
  const mine = turn;
  isReady = false;
  await figures.load();
  if (mine !== turn) return;
  isReady = true;
  later(150);
}

const watch = new IntersectionObserver(seen => {
  for (const one of seen) PANELS.find(panel => panel.element === one.target).visible = one.isIntersecting;
  later(30);
}, { rootMargin: '200px' });

for (const module of [controls, figures, plots, tree, verdicts]) module.start();
for (const panel of PANELS) watch.observe(panel.element);
onChange(changed => { if (changed.some(key => !FILTERS.includes(key))) live(changed); });
live(['truth']);
