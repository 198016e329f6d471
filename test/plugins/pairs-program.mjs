import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PAIR = /(?<![^\n])[ \t]*([^#=\r\n]*[^#=\r\n \t])[ \t]*="((?:[^"\\\r\n]|\\.)*)"/g;

const bytes = (text) => Buffer.byteLength(text);
const escapeText = (value) => value.replace(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`);
const readText = (raw) => raw.replace(/\\(.)/g, (_, c) => (c === 'n' ? '\n' : c));

/** Answers as the program of a format with `key="value"` lines, in which `\n`, `\"` and `\\` are escapes. */
export function answerPairs({ scan, encode }, fault = 'none') {
  return encode ? encodeValue(encode.value, fault) : scanText(scan.text, fault);
}

function encodeValue(value, fault) {
  if (fault === 'swallows') return { text: `"${escapeText(value)}"\nother="x` };
  if (fault === 'unescaped') return { text: value };
  if (/[\r\u2028\u2029]|!!/.test(value)) return { refused: 'this cannot be written' };
  return { text: escapeText(value) };
}

function scanText(text, fault) {
  const broken = text.indexOf('!!');
  if (broken >= 0 && fault === 'crash') {
    process.stderr.write('\u001b[31mnothing was said of \u0000 this');
    process.exit(1);
  }
  if (broken >= 0) return { error: 'two exclamation marks', offset: bytes(text.slice(0, broken)) };
  if (fault === 'outside') return { slots: [{ key: ['a'], value: 'A', start: 0, end: bytes(text) + 1 }] };
  const offset = (at) => (fault === 'characters' ? at : bytes(text.slice(0, at)));
  const slots = [...text.matchAll(PAIR)].map(({ 0: whole, 1: key, 2: raw, index }) => {
    const end = index + whole.length - 1;
    const lineEnd = text.slice(end).search(/\r?\n|$/) + end;
    return {
      key: key.split('.'),
      value: fault === 'random' ? `${Math.random()}` : readText(raw),
      start: offset(end - raw.length),
      end: offset(end),
      ...(fault !== 'entryless' && { entry: [offset(index), offset(lineEnd)] }),
    };
  });
  return { slots: fault === 'halved' ? slots.filter((_, i) => i % 2 === 0 || text.length < 40) : slots };
}

/** The command line that runs this file as a program. */
export function pairsCommand(fault = 'none') {
  return [process.execPath, fileURLToPath(import.meta.url), fault]
    .map((part) => JSON.stringify(part))
    .join(' ');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, ...request } = JSON.parse(line);
    process.stdout.write(`${JSON.stringify({ id, ...answerPairs(request, process.argv[2]) })}\n`);
  });
}
