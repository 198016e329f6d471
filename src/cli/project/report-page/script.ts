/**
 * The page's script, which searches the data blocks and shows a hundred keys at a time. Values are inserted as text
 * only. Long work is split into short steps, so that a page with half a million keys stays responsive.
 */
export const SCRIPT = String.raw`(() => {
'use strict';
const PAGE = 100;
const SLICE_MS = 40;
const KEY_STATUSES = {
  translated: 'translated',
  missing: 'missing',
  pending: 'missing: shows the source text',
  unmatched: 'no text of the page is clearly its translation',
  stale: 'stale: the source has changed since',
  edited: 'edited by a person',
  unknown: 'present before the first sync',
  review: 'marked for review',
  outdated: 'of an older source, kept because dragoman did not write it',
  extra: 'not in the source',
};
const ACTIONS = {
  translated: 'translated in this run',
  reused: 'reused from a renamed key',
  failed: 'failed in this run',
  left: 'left for the next run',
};
const MEMORIES = { human: 'memory: written by a human', machine: 'memory: written by an engine' };
const COLOURS = { missing: 'bad', pending: 'bad', unmatched: 'warn', stale: 'warn', review: 'warn', outdated: 'warn', extra: 'warn' };

const byId = (id) => document.getElementById(id);
const index = JSON.parse(byId('index').textContent);

const element = (name, className, ...children) => {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
};

// A search ignores letter case, accents and the width of letters.
const fold = (text) =>
  /^[\x00-\x7f]*$/.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replace(/[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g, '')
        .toLowerCase();

// A data block is parsed when a search first reaches it, and then removed from the document.
const blocks = new Map();
const rowsOf = (number) => {
  let rows = blocks.get(number);
  if (!rows) {
    const block = byId('rows-' + number);
    rows = JSON.parse(block.textContent);
    block.remove();
    blocks.set(number, rows);
  }
  return rows;
};

const isProblem = (row) => !!row.problems || (row.status !== undefined && !['edited', 'unknown', 'review'].includes(row.status));
const haystackOf = (row) =>
  (row.folded ??= fold(row.key + '\n' + (row.source ?? '') + '\n' + (row.value ?? '')));

const STATUS_TESTS = {
  missing: (row) => row.status === 'missing' || row.status === 'pending',
  translated: (row) => row.status === undefined,
};
const statusTest = (status) => {
  if (!status) return () => true;
  const [kind, name] = status.split(':');
  if (kind === 'run') return (row) => (name === 'kept' ? row.done === undefined && row.status !== 'extra' : row.done === name);
  return STATUS_TESTS[status] ?? ((row) => row.status === status);
};
const byTest = (by) => {
  if (!by) return () => true;
  const at = by.indexOf(':');
  const [kind, name] = [by.slice(0, at), by.slice(at + 1)];
  return kind === 'memory'
    ? (row) => row.memory !== undefined && (name === 'any' || row.memory === name)
    : (row) => row.by === name;
};

const NAMES = ['lang', 'file', 'status', 'by', 'q'];
let state = {};
const readState = () => {
  const wanted = new URLSearchParams(location.hash.slice(1));
  state = { problems: wanted.get('problems') === '1', page: Math.max(1, Number(wanted.get('page')) || 1) };
  for (const name of NAMES) state[name] = wanted.get(name) ?? '';
};
const writeState = () => {
  const parts = new URLSearchParams();
  for (const name of NAMES) if (state[name]) parts.set(name, state[name]);
  if (state.problems) parts.set('problems', '1');
  if (state.page > 1) parts.set('page', String(state.page));
  const hash = '#' + parts.toString();
  if (hash !== (location.hash || '#')) history.replaceState(null, '', hash);
};

let matches = [];
let searching = false;
let turn = 0;

const search = async () => {
  const own = ++turn;
  const query = fold(state.q.trim());
  const [status, by] = [statusTest(state.status), byTest(state.by)];
  const found = [];
  matches = found;
  searching = true;
  let shown = false;
  let since = performance.now();
  for (const file of index.files) {
    if ((state.lang && file.locale !== state.lang) || (state.file && file.source !== state.file)) continue;
    for (let number = file.first; number < file.first + file.blocks; number++) {
      const rows = rowsOf(number);
      for (let at = 0; at < rows.length; at++) {
        const row = rows[at];
        if (state.problems && !isProblem(row)) continue;
        if (!status(row) || !by(row)) continue;
        if (query && !haystackOf(row).includes(query)) continue;
        found.push({ file, row });
      }
      if (performance.now() - since < SLICE_MS) continue;
      if (!shown && found.length >= state.page * PAGE) {
        shown = true;
        show();
      } else count();
      await new Promise((resolve) => setTimeout(resolve));
      if (own !== turn) return;
      since = performance.now();
    }
  }
  searching = false;
  show();
};

const LABELS = { '\n': '↵', '\t': '⇥', '\u00a0': '⍽', '\u202f': '⍽', '\u00ad': '‧' };
// Matches characters that are invisible or change the direction of text. Because of the flag u, surrogates match only
// if they are alone.
const SIGN =
  /[\u0000-\u001f\u007f-\u00a0\u00ad\u061c\u200b\u200e\u200f\u2028-\u202f\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]/gu;
const appendText = (parent, text) => {
  let at = 0;
  for (const found of text.matchAll(SIGN)) {
    if (found.index > at) parent.append(text.slice(at, found.index));
    at = found.index + 1;
    const character = found[0];
    const code = 'U+' + character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    const sign = element('bdi', 'sign', LABELS[character] ?? code);
    sign.title = code;
    parent.append(sign);
    if (character === '\n') parent.append('\n');
  }
  if (at < text.length) parent.append(text.slice(at));
  return parent;
};

const appendValue = (parent, text, code) => {
  let at = 0;
  for (let i = 0; i + 1 < code.length; i += 2) {
    appendText(parent, text.slice(at, code[i]));
    const span = appendText(element('bdi', 'code'), text.slice(code[i], code[i + 1]));
    span.dir = 'ltr';
    parent.append(span);
    at = code[i + 1];
  }
  return appendText(parent, text.slice(at));
};

const valueCell = (text, code, cut, lang) => {
  const cell = element('td', '');
  if (text === undefined) {
    cell.append(element('span', 'quiet', '(none)'));
    return cell;
  }
  const shown = appendValue(element('div', 'text'), text, code ?? []);
  shown.lang = lang;
  shown.dir = 'auto';
  // Scrollable text must be reachable by keyboard.
  if (text.length > 600) shown.tabIndex = 0;
  cell.append(shown);
  if (text === '') cell.append(element('span', 'quiet', '(empty)'));
  if (cut) {
    const note = cut.toLocaleString('en') + ' more characters are neither shown nor searched';
    cell.append(element('span', 'note', note));
  }
  return cell;
};

const place = (name, at) => appendText(element('span', 'place'), name + (at ? ':' + at : ''));

const keyCell = ({ file, row }) => {
  const cell = appendText(element('th', ''), row.key);
  cell.scope = 'row';
  if (row.at) cell.append(place(file.source, row.at));
  if (row.to) cell.append(place(file.target, row.to));
  if (row.note) cell.append(appendText(element('span', 'note'), 'Note: ' + row.note));
  return cell;
};

const statusCell = ({ row }) => {
  const status = row.status ?? 'translated';
  const isNew = status === 'translated' && row.done === 'translated';
  const cell = element('td', '');
  if (!isNew) cell.append(element('div', COLOURS[status] ?? 'good', KEY_STATUSES[status]));
  if (isNew) cell.append(element('div', 'good', ACTIONS.translated));
  else if (row.done) cell.append(element('div', row.done === 'failed' ? 'bad' : '', ACTIONS[row.done]));
  if (row.from) cell.append(appendText(element('div', 'note'), 'from ' + row.from));
  if (row.by) cell.append(appendText(element('div', ''), 'by ' + row.by));
  if (row.memory) cell.append(element('div', '', MEMORIES[row.memory]));
  if (row.problems) {
    const list = element('ul', 'problems bad');
    for (const problem of row.problems) list.append(appendText(element('li', ''), problem));
    cell.append(list);
  }
  return cell;
};

const rowElement = (match) => {
  const { file, row } = match;
  const [source, value] = row.code ?? [];
  const [cutSource, cutValue] = row.cut ?? [];
  const made = element(
    'tr',
    '',
    keyCell(match),
    valueCell(row.source, source, cutSource, file.from),
    valueCell(row.value, value, cutValue, file.locale),
    statusCell(match),
  );
  if (!state.lang) made.lastChild.prepend(element('div', 'quiet', file.locale));
  return made;
};

const count = () => {
  const number = matches.length.toLocaleString('en') + (matches.length === 1 ? ' key' : ' keys');
  byId('count').textContent = searching ? number + ' so far …' : number;
  byId('count').dataset.done = searching ? '' : 'yes';
  // Screen readers should only read the final number.
  byId('count').ariaBusy = String(searching);
};

const show = () => {
  const pages = Math.max(1, Math.ceil(matches.length / PAGE));
  // The search may still find a later page.
  if (!searching && state.page > pages) state.page = pages;
  const rows = matches.slice((state.page - 1) * PAGE, state.page * PAGE).map(rowElement);
  byId('rows').replaceChildren(...rows);
  byId('page').value = String(state.page);
  byId('page').max = String(pages);
  byId('of').textContent = 'of ' + pages.toLocaleString('en');
  byId('previous').disabled = state.page <= 1;
  byId('next').disabled = state.page >= pages;
  count();
};

const option = (value, text) => {
  const made = element('option', '');
  made.value = value;
  appendPlain(made, text);
  return made;
};
// Options cannot contain elements, so invisible characters are written out.
const appendPlain = (parent, text) => parent.append(appendText(element('span', ''), text).textContent);

const fillSelects = () => {
  const locales = [...new Set(index.files.map((file) => file.locale))];
  byId('lang').append(...locales.map((locale) => option(locale, locale)));
  const sources = [...new Set(index.files.map((file) => file.source))];
  byId('file').append(...sources.map((source) => option(source, source)));
  byId('by').append(...index.engines.map((engine) => option('engine:' + engine, engine)));
};

const showState = () => {
  for (const name of NAMES) byId(name).value = state[name];
  byId('problems').checked = state.problems;
};
// Ignores unknown values in the address.
const adoptState = () => {
  readState();
  showState();
  for (const name of NAMES) state[name] = byId(name).value;
  showState();
};

const turnTo = (page) => {
  state.page = Math.min(Math.max(1, page || 1), Math.max(1, Math.ceil(matches.length / PAGE)));
  writeState();
  show();
  byId('keys').scrollIntoView();
};

let waiting = 0;
const change = () => {
  for (const name of NAMES) state[name] = byId(name).value;
  state.problems = byId('problems').checked;
  state.page = 1;
  writeState();
  void search();
};

fillSelects();
adoptState();
byId('keys').hidden = false;
byId('filters').addEventListener('submit', (event) => {
  event.preventDefault();
  change();
});
byId('filters').addEventListener('input', (event) => {
  clearTimeout(waiting);
  waiting = setTimeout(change, event.target.id === 'q' ? 150 : 0);
});
byId('reset').addEventListener('click', () => {
  for (const name of NAMES) byId(name).value = '';
  byId('problems').checked = false;
  change();
  byId('q').focus();
});
byId('previous').addEventListener('click', () => turnTo(state.page - 1));
byId('next').addEventListener('click', () => turnTo(state.page + 1));
byId('page').addEventListener('change', () => turnTo(Math.floor(Number(byId('page').value))));
addEventListener('hashchange', () => {
  adoptState();
  void search();
  byId('keys').scrollIntoView();
});
addEventListener('keydown', (event) => {
  const isTyping = /^(?:INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    byId('q').focus();
    byId('q').select();
  }
});
void search();
})();
`;
