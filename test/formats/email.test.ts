import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import libmime from 'libmime';
import mailsplit, { type Chunk } from 'mailsplit';
import { describe, expect, it } from 'vitest';
import { DragomanError } from '../../src/base/errors.ts';
import { partsOf, scanEmail, signaturesOf, type Email } from '../../src/formats/email/email.ts';
import { splice } from '../../src/base/span.ts';
import { readParagraphs } from '../../src/formats/email/paragraphs.ts';
import { renderEmail } from '../../src/formats/email/render.ts';
import { processorTime } from '../processor-time.ts';
import { runs } from '../property-runs.ts';
import { randomEmail } from './email-arbitrary.ts';
import { hasPython, leavesOf, witness } from './email-witness.ts';

const root = new URL('../../fixtures/formats/eml/', import.meta.url).pathname;
const fixtures = readdirSync(root).map(
  (name) => [name, readFileSync(join(root, name, 'source.eml'))] as const,
);
const scan = (bytes: Uint8Array | string): Email => scanEmail(Buffer.from(bytes).toString('latin1'));

const accent = (text: string): string =>
  text.replace(/[aeiou]/g, (c) => ({ a: 'á', e: 'ê', i: 'ï', o: 'ø', u: 'ŭ' })[c] ?? c);

/** All bytes of a message outside its subject and its texts. */
function frame({ text, subject, texts }: Email): string {
  const holes = [...texts.map(({ part }) => part.body), ...(subject ? [subject.span] : [])];
  holes.sort((a, b) => a.start - b.start);
  let at = 0;
  let kept = '';
  for (const { start, end } of holes) {
    kept += `${text.slice(at, start)}\u0000`;
    at = end;
  }
  return kept + text.slice(at);
}

/** Like {@link frame}, but without the parts that a new charset or transfer encoding changes. */
function looseFrame(email: Email): string {
  return frame(email)
    .replace(/charset=("?)[\w-]+\1/gi, 'charset')
    .replace(/Content-Transfer-Encoding: (?:7bit|8bit|quoted-printable)\r?\n/gi, '');
}

async function split(bytes: Buffer): Promise<readonly Chunk[]> {
  const splitter = new mailsplit.Splitter({ ignoreEmbedded: true });
  splitter.end(bytes);
  const nodes: Chunk[] = [];
  for await (const chunk of splitter) if (chunk.type === 'node') nodes.push(chunk);
  return nodes;
}

describe('fixtures', () => {
  it.each(fixtures)('%s: nothing changes if no value changes', (name, bytes) => {
    const email = scan(bytes);
    const texts = new Map(email.texts.map(({ text }, i) => [i, text]));
    expect(renderEmail(email, { texts: new Map() }).text).toBe(email.text);
    // Writing the same texts again changes nothing around them. Charsets that are unknown or cannot be written are
    // exceptions.
    if (name === 'no-mime-8bit' || name === 'iso-2022-jp') return;
    const again = renderEmail(email, { subject: email.subject?.value, texts });
    expect(frame(again)).toBe(frame(email));
  });

  it.each(fixtures)('%s: a stream splitter finds the same parts', async (_, bytes) => {
    const { root, warnings } = scan(bytes);
    // The splitter does not support blanks after a boundary, or parts that end at the enclosing boundary.
    if (warnings.length > 0 || bytes.includes('--a  \t')) return;
    expect((await split(bytes)).map(({ contentType }) => contentType || 'text/plain')).toEqual(
      partsOf(root).map(({ contentType }) => contentType?.value ?? 'text/plain'),
    );
  });

  it.skipIf(!hasPython).each(fixtures)(
    '%s: Python reads the same structure and the new texts',
    (_, bytes) => {
      const email = scan(bytes);
      const subject = email.subject && accent(email.subject.value);
      const texts = new Map(email.texts.map(({ text }, i) => [i, accent(text)]));
      const after = renderEmail(email, { subject, texts });
      const [before, result] = witness([bytes, Buffer.from(after.text, 'latin1')]);
      expect(result?.subject).toBe(subject ?? before?.subject);
      const types = (parts: Email): string[] => partsOf(parts.root).map(({ type }) => type);
      expect(types(after)).toEqual(types(email));
      const found = leavesOf(result!.root);
      const source = leavesOf(before!.root);
      expect(found.map(({ type }) => type)).toEqual(source.map(({ type }) => type));
      const wanted = [...texts.values()];
      for (const [i, leaf] of found.entries()) {
        // Python drops the line break at the end of a part without a closing boundary.
        const text = email.warnings.length > 0 ? wanted[0]?.trimEnd() : wanted[0];
        if (text !== undefined && leaf.text === text) wanted.shift();
        else expect(leaf.body).toBe(source[i]?.body);
      }
      expect(wanted).toEqual([]);
    },
  );
});

describe('random messages', () => {
  it('are parsed as they were built, and keep every other byte', () => {
    fc.assert(
      fc.property(randomEmail, ({ bytes, subject, texts }) => {
        const email = scan(bytes);
        expect(email.subject?.value).toBe(subject);
        expect(email.texts.map(({ kind, text }) => ({ kind, text }))).toEqual(texts);
        expect(email.warnings).toEqual([]);
        expect(renderEmail(email, { texts: new Map() }).text).toBe(email.text);
        const values = new Map(email.texts.map(({ text }, i) => [i, accent(text)]));
        const after = renderEmail(email, { subject: accent(subject), texts: values });
        expect(looseFrame(after)).toBe(looseFrame(email));
        expect(after.texts.map(({ text }) => text)).toEqual([...values.values()]);
      }),
      { numRuns: runs(300) },
    );
  });

  it.skipIf(!hasPython)('read the same in Python, except for the subject and the texts', () => {
    const samples = fc.sample(randomEmail, 300).map(({ bytes, subject, texts }) => {
      const email = scan(bytes);
      const values = new Map(texts.map(({ text }, i) => [i, accent(text)]));
      const after = renderEmail(email, { subject: accent(subject), texts: values });
      return { before: bytes, after: Buffer.from(after.text, 'latin1'), subject, texts };
    });
    const befores = witness(samples.map(({ before }) => before));
    const afters = witness(samples.map(({ after }) => after));
    for (const [i, { subject, texts }] of samples.entries()) {
      const before = befores[i]!;
      const after = afters[i]!;
      expect(before.subject).toBe(subject);
      expect(after.subject).toBe(accent(subject));
      const meta = (part: typeof before.root): unknown => ({
        ...part,
        body: undefined,
        text: undefined,
        headers: part.headers.filter(
          ([name]) => !/^(subject|content-type|content-transfer-encoding)$/i.test(name),
        ),
        children: part.children?.map(meta),
      });
      expect(meta(after.root)).toEqual(meta(before.root));
      const wanted = texts.map(({ text }) => text);
      for (const [j, leaf] of leavesOf(before.root).entries()) {
        const isText = leaf.text !== undefined && leaf.disposition !== 'attachment' && leaf.filename === null;
        const expected = isText ? accent(wanted.shift() ?? '') : undefined;
        const found = leavesOf(after.root)[j];
        if (expected === undefined) expect(found?.body).toBe(leaf.body);
        else expect(found?.text).toBe(expected);
      }
      expect(wanted).toEqual([]);
    }
  });
});

function failureOf(text: string): { code: string; line: number | undefined; message: string } {
  try {
    scan(text);
  } catch (error) {
    if (error instanceof DragomanError)
      return { code: error.code, line: error.at?.line, message: error.message };
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('damaged messages', () => {
  const multipart = 'Subject: a\nContent-Type: multipart/mixed; boundary=x\n\n';
  it.each<[string, string, number, RegExp]>([
    [
      'a boundary that does not begin a part',
      `${multipart}--y\n\ntext\n--y--\n`,
      2,
      /no part of the multipart begins/,
    ],
    ['a multipart message without a boundary', 'Content-Type: multipart/mixed\n\n--x\n\n', 1, /no boundary/],
    [
      'a boundary twice',
      `${multipart}--x\nContent-Type: multipart/mixed; boundary=x\n\n--x--\n`,
      5,
      /enclosing/,
    ],
    ['base64 that is cut off', 'Content-Transfer-Encoding: base64\n\nSGVsbG8\n', 3, /cut off/],
    ['invalid base64', 'Content-Transfer-Encoding: base64\n\nSGVs\nbG8!\n', 4, /not base64/],
    ['a header that does not end', 'Subject: a\nFrom: b\n', 3, /does not end/],
    ['a header line that is not a field', 'Subject: a\nno field\n\ntext', 2, /neither/],
    ['bytes that are not a message', '\u0000\u0001\u0002\n\n', 1, /neither/],
    ['nothing', '', 1, /does not end/],
    ['a text without a header', '\nHello\n', 1, /no header/],
    ['a part whose header does not end', `${multipart}--x\nContent-Type: text/plain\n`, 6, /does not end/],
    ['bytes outside the charset', 'Content-Type: text/plain; charset=utf-8\n\n', 3, /charset utf-8/],
    ['an unknown charset', 'Content-Type: text/plain; charset=klingon\n\nx', 3, /charset klingon/],
  ])('are refused with the line: %s', (_, text, line, message) => {
    const bytes = text.endsWith('utf-8\n\n') ? Buffer.concat([Buffer.from(text), Buffer.from([0xe9])]) : text;
    const failure = failureOf(bytes as string);
    expect(failure).toMatchObject({ code: 'unreadable_input', line });
    expect(failure.message).toMatch(message);
  });

  it('are refused when they have too many parts or fields', () => {
    expect(failureOf(`${multipart}${'--x\n\n'.repeat(20_000)}--x--\n`)).toMatchObject({
      code: 'limit_exceeded',
    });
    expect(failureOf(`${'A: b\n'.repeat(20_000)}\n`)).toMatchObject({ code: 'limit_exceeded' });
  });

  it('are refused if parts nest without end', () => {
    const levels = Array.from(
      { length: 200 },
      (_, i) => `Content-Type: multipart/mixed; boundary=b${i}b\n\n--b${i}b\n`,
    );
    expect(failureOf(levels.join(''))).toMatchObject({ code: 'limit_exceeded' });
  });

  it('are accepted if only closing boundaries are missing', () => {
    const email = scan(fixtures.find(([name]) => name === 'closing-boundary-missing')![1]);
    expect(email.texts.map(({ text }) => text)).toEqual(['First text', 'Second text\n']);
    expect(email.warnings.map(({ message }) => message)).toHaveLength(2);
  });

  it('are read in linear time', () => {
    const lines = '--x-\n'.repeat(400_000);
    const started = processorTime();
    scan(`${multipart}${lines}--x\n\n${lines}--x--\n`);
    scan(
      `Content-Type: multipart/mixed; ${'('.repeat(200_000)}\n boundary=x\n\n${' '.repeat(200_000)}`
        .replace(/^/, 'X: y\n')
        .replace('multipart', 'text'),
    );
    expect(processorTime() - started).toBeLessThan(5000);
  });
});

describe('subjects', () => {
  const subjectOf = (line: string): string | undefined => scan(`Subject: ${line}\n\n`).subject?.value;

  it.each([
    ['several words', '=?utf-8?q?a_b?=\n =?utf-8?q?c?=', 'a bc'],
    ['words and text', 'Re: =?utf-8?b?w7w=?= and =?iso-8859-1?q?=FC?=', 'Re: ü and ü'],
    ['a letter in two words', '=?utf-8?q?=C3?= =?utf-8?q?=BC?=', 'ü'],
    ['folds', 'a\n  b\n\tc', 'a  b\tc'],
    ['raw UTF-8', Buffer.from('Voilà').toString(), 'Voilà'],
  ])('are decoded: %s', (_, line, value) => {
    expect(subjectOf(line)).toBe(value);
  });

  it('never begin another field, and are read as written', () => {
    const texts = fc.array(
      fc.constantFrom(
        'a',
        'ü',
        '👋',
        '𠮷',
        ' ',
        '\r\n',
        '\n',
        'Bcc: x',
        '=?',
        '?=',
        '_',
        '=41',
        '\u0007',
        'word ',
      ),
      {
        minLength: 1,
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(texts, fc.constantFrom('Subject: old', 'Subject: =?utf-8?b?w7w=?='), (pieces, line) => {
        const email = scan(`${line}\r\nTo: b\r\n\r\nbody`);
        const value = `x${pieces.join('')}x`;
        const after = renderEmail(email, { subject: value, texts: new Map() });
        expect(after.root.header.fields.map(({ name }) => name)).toEqual(['subject', 'to']);
        expect(after.subject?.value).toBe(value.replace(/[\r\n]+/g, ' '));
        const lines = after.text.split('\r\n');
        expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(
          pieces.join('').includes(' ') || !/^[ -~]*$/.test(value) ? 130 : 400,
        );
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('plain texts', () => {
  const words = fc.constantFrom(
    'Hello',
    'to',
    'everybody',
    'who',
    'reads',
    'this',
    '日本語',
    'a',
    '> x',
    'From',
    'Grüße,',
  );
  const sentence = fc
    .array(words, { minLength: 1, maxLength: 40 })
    .map((list) => `Say ${list.join(' ')} end.`);

  it('flowed paragraphs read the same in an independent reader', () => {
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 5 }), fc.boolean(), (sentences, delSp) => {
        const source = sentences.map((_, i) => `Paragraph ${i}`).join('\n');
        const paragraphs = readParagraphs(source, { delSp });
        expect(paragraphs).toHaveLength(sentences.length);
        const edits = paragraphs.map((paragraph, i) => ({
          span: paragraph.span,
          text: paragraph.write(sentences[i]!),
        }));
        const flowed = splice(source, edits);
        expect(libmime.decodeFlowed(flowed, delSp).split('\n')).toEqual(sentences);
        expect(readParagraphs(flowed, { delSp }).map(({ value }) => value)).toEqual(sentences);
      }),
    );
  });

  it('keep their words when paragraphs are rewritten', () => {
    const line = fc.oneof(
      sentence,
      sentence.map((text) => text.slice(0, 60)),
      fc.constantFrom('', '  - item', '> quoted', 'a   b    c', '--', '1) one'),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), fc.constantFrom('\n', '\r\n'), (lines, lineBreak) => {
        const text = lines.join(lineBreak);
        const edits = readParagraphs(text, undefined).map((paragraph) => ({
          span: paragraph.span,
          text: paragraph.write(paragraph.value),
        }));
        const squeeze = (from: string): string => from.replace(/\s+/g, '');
        expect(squeeze(splice(text, edits))).toBe(squeeze(text));
      }),
    );
  });

  it('are read and written in linear time', () => {
    const text = 'Say that this line of a very long paragraph goes on in the next one.\n'.repeat(40_000);
    const started = processorTime();
    const [paragraph] = readParagraphs(text, undefined);
    expect(paragraph?.write(paragraph.value)).toBe(text.trimEnd());
    expect(processorTime() - started).toBeLessThan(5000);
  });

  it('end at the signature', () => {
    const values = (text: string): string[] => readParagraphs(text, undefined).map(({ value }) => value);
    expect(values('One\n-- \nTwo\n')).toEqual(['One']);
    expect(values('One\n--\nTwo\n')).toEqual(['One']);
    expect(values(`One\n--\n${'Two\n'.repeat(40)}`)).toHaveLength(41);
  });

  it('are never changed if PGP encrypted or signed them', () => {
    const email = scan('Subject: a\n\n-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n');
    expect(email.texts).toEqual([]);
    expect(email.skipped).toHaveLength(1);
  });
});

it('the signatures that a change invalidates are listed', () => {
  const signed = fixtures.find(([name]) => name === 'signed')![1];
  expect(signaturesOf(scan(signed))).toEqual(['DKIM', 'ARC', 'S/MIME or PGP']);
  expect(signaturesOf(scan('Subject: a\n\nb'))).toEqual([]);
});
