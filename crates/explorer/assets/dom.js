// Small helpers for building the page.

export const find = id => document.getElementById(id);

export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children.filter(child => child != null));
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

export function draw(name, attributes = {}, text = null) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== null) element.textContent = text;
  return element;
}

// Buttons of which one is chosen, for keyboard and touch.
export function choice(box, name, options, pick) {
  box.replaceChildren(...options.map(([value, text]) => make('label', {},
    make('input', { type: 'radio', name, value, onchange: () => pick(value) }), make('span', {}, text))));
  return value => { for (const input of box.querySelectorAll('input')) input.checked = input.value === value; };
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

// A count, exact while it is short: 1,974,921,945,380 but 4.24·10²⁸.
export function count(text) {
  text = String(text);
  if (/^\d{1,13}$/.test(text)) return text.replace(/\B(?=(\d{3})+$)/g, ',');
  const [digits, exponent] = Number(text).toExponential(4).split('e');
  return digits + '·10' + [...String(Number(exponent))].map(c => c === '-' ? '⁻' : SUPERSCRIPTS[c]).join('');
}

export function number(value, places = 3) {
  if (value === null || value === undefined) return '–';
  if (Math.abs(value) >= 1e7) return count(Math.abs(value).toExponential(9)).replace(/^/, value < 0 ? '−' : '');
  return value.toFixed(places).replace('-', '−');
}

export function signed(value, places = 2) {
  return value === null || value === undefined ? '–' : (value > 0 ? '+' : '') + number(value, places);
}

// What can be done with a panel: its command, and its figures as files.
export function tools(footer, command, address) {
  const copy = make('button', { type: 'button', class: 'copy', title: command, onclick: async event => {
    const button = event.currentTarget;
    try { await navigator.clipboard.writeText(command); button.textContent = 'copied'; }
    catch { prompt('Copy this line:', command); }
    setTimeout(() => { button.textContent = 'copy as command'; }, 1200);
  } }, 'copy as command');
  const links = Object.entries(address).map(([name, target]) => typeof target === 'function'
    ? make('button', { type: 'button', onclick: target }, name)
    : make('a', { href: target, download: true }, name));
  footer.replaceChildren(copy, make('code', {}, command), make('span', { class: 'files' }, ...links));
}

export function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = make('a', { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

export function csv(rows) {
  const cell = value => /[",\n]/.test(String(value)) ? '"' + String(value).replace(/"/g, '""') + '"' : String(value ?? '');
  return rows.map(row => row.map(cell).join(',')).join('\n') + '\n';
}
