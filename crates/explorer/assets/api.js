// Questions to the program that serves this page, in the words of its command line.

const PAGE = Array.from(crypto.getRandomValues(new Uint8Array(12)), byte => byte.toString(16).padStart(2, '0')).join('');
const latest = new Map();

// A refusal, with the program's sentence. Stale: a newer request replaced this one.
export class Refusal extends Error {
  constructor(sentence, isLong, isStale) { super(sentence); this.isLong = isLong; this.isStale = isStale; }
}

export function address(command, options, extra = []) {
  const parts = [...options, ...extra].map(([key, value]) => value === null ? key : key + '=' + encode(value));
  return '/api/' + command + (parts.length ? '?' + parts.join('&') : '');
}

function encode(value) {
  return encodeURIComponent(value).replace(/%2C/g, ',').replace(/%3A/g, ':').replace(/%2F/g, '/').replace(/%20/g, '+');
}

// The same question for a shell.
export function line(command, options) {
  const quote = text => /^[\w,.:\/-]+$/.test(text) ? text : "'" + text + "'";
  return ['prodmax', command, ...options.map(([key, value]) => '--' + key + (value === null ? '' : ' ' + quote(value)))].join(' ');
}

// Asks. A newer question with the same slot replaces this one, here and in the program.
export async function ask(slot, command, options) {
  const turn = new AbortController();
  latest.get(slot)?.abort();
  latest.set(slot, turn);
  const stale = () => latest.get(slot) !== turn;
  let response, body;
  try {
    response = await fetch(address(command, options, [['page', PAGE + '.' + slot]]), { signal: turn.signal });
    body = await response.json();
  } catch {
    throw new Refusal('the program does not answer; is prodmax serve still running?', false, stale());
  }
  if (!response.ok || stale()) throw new Refusal(body.error ?? '', body.long ?? false, stale());
  return body;
}

// Cancels all pending requests: the next ones are about something else.
export function drop() {
  for (const turn of latest.values()) turn.abort();
  latest.clear();
}

// Starts a job and reports its events until it is done, stopped or failed. Returns a function that stops it.
export function job(name, command, options, tell) {
  const slot = PAGE + '.job-' + name;
  const source = new EventSource(address('jobs/' + command, options, [['page', slot]]));
  const end = (name, data) => { source.close(); tell(name, data); };
  source.addEventListener('progress', event => tell('progress', JSON.parse(event.data)));
  source.addEventListener('note', event => tell('note', JSON.parse(event.data)));
  for (const name of ['done', 'stopped', 'failed']) source.addEventListener(name, event => end(name, JSON.parse(event.data)));
  source.onerror = () => end('failed', { error: 'the program does not answer; is prodmax serve still running?' });
  return () => fetch('/api/stop?page=' + slot, { method: 'POST' });
}
