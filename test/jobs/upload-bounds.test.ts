import { describe, expect, it } from 'vitest';
import { openBytes } from '../../src/documents/localization/open-file.ts';
import { describeFormat, FORMAT_IDS, loadFormat } from '../../src/formats/registry.ts';
import { MAX_MARKS, requireFewMarks } from '../../src/jobs/worker/inspect-file.ts';
import { makeDocument, makeKeys } from '../../scripts/bench/made-documents.ts';
import { DragomanError } from '../../src/base/errors.ts';
import { HOSTILE_FILES } from '../hostile/files.ts';
import { SPECIMENS } from '../specimens/specimens.ts';
import { processorTime } from '../processor-time.ts';

const BYTES = 10_000_000;
const UPLOADED = FORMAT_IDS.filter((id) => describeFormat(id).jobExtensions);

function marksOf(text: string, marks: string): number {
  const own = new Set(`${marks}{,`);
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    if (own.has(text[i] ?? '')) count++;
    if (text[i] === '\r' && text[i + 1] === '\n') i++;
  }
  return count;
}

describe.each(UPLOADED)('an upload of %s', (id) => {
  const description = describeFormat(id);
  const { marks = '' } = description;

  it('has characters that count as marks', () => expect(marks).not.toBe(''));

  it('of 10 MB with ordinary content is accepted', () => {
    const texts = [makeDocument(id, BYTES), ...SPECIMENS[id].made.map((made) => shortTexts(made))];
    for (const text of texts) {
      expect(text.length).toBeGreaterThan(BYTES * 0.9);
      expect(() => requireFewMarks(Buffer.from(text), description)).not.toThrow();
      expect(() => requireFewMarks(Buffer.from(text.replaceAll('\n', '\r\n')), description)).not.toThrow();
    }
  });

  // A reader's work is proportional to the marks, so limiting them limits time and memory.
  it('has no more texts and warnings than marks', async () => {
    const format = await loadFormat(describeFormat(id));
    for (const { name, make } of HOSTILE_FILES[id]) {
      const text = make(50_000);
      try {
        const { slots, warnings } = format.scan(text, { locale: 'en', isUpload: true });
        expect(slots.length + warnings.length, name).toBeLessThanOrEqual(marksOf(text, marks) + 3);
      } catch (error) {
        expect(error, name).toBeInstanceOf(DragomanError);
      }
    }
  });

  it('of a hostile file is refused immediately, or read in bounded time', async () => {
    for (const { name, make } of HOSTILE_FILES[id]) {
      const bytes = Buffer.from(make(BYTES));
      const begin = processorTime();
      const opening = (): Promise<unknown> =>
        openBytes(bytes, `upload.${description.extensions[0]}`, { isUpload: true });
      await Promise.resolve()
        .then(() => requireFewMarks(bytes, description))
        .then(opening)
        .catch((error: unknown) => expect(error, name).toBeInstanceOf(DragomanError));
      // Five times the target, to allow for other work on the machine.
      expect(processorTime() - begin, name).toBeLessThan(10_000);
    }
  });
});

/** Ten megabytes with typical interface texts. */
function shortTexts(made: Parameters<typeof makeKeys>[0]): string {
  const few = 10_000;
  return makeKeys(made, Math.floor((few * BYTES) / makeKeys(made, few).length));
}

describe('the bound for uploads', () => {
  const list = `[${'1,'.repeat(MAX_MARKS)}"a"]`;

  it('names the limit and a remedy', () => {
    expect(() => requireFewMarks(Buffer.from(list), describeFormat('json'))).toThrow(
      expect.objectContaining({
        code: 'limit_exceeded',
        message: 'this JSON file has 700,001 marks (: [ { ,); the limit for uploads is 700,000',
        hint: 'Divide it into several files.',
      }),
    );
    const lines = Buffer.from('\r\n'.repeat(MAX_MARKS + 1));
    expect(() => requireFewMarks(lines, describeFormat('po'))).toThrow('700,001 marks (line ends \\ { ,)');
    expect(() => requireFewMarks(lines.subarray(2), describeFormat('po'))).not.toThrow();
  });

  it('counts a self-closing element like one with two tags', () => {
    const xml = describeFormat('xml');
    const items = (item: string): Buffer =>
      Buffer.from(`<resources>${item.repeat(MAX_MARKS / 2)}</resources>`);
    for (const item of ['<item/>', '<item></item>'])
      expect(() => requireFewMarks(items(item), xml), item).toThrow('700,002 marks (/> < = & { ,)');
  });

  it('does not apply to files on this machine', async () => {
    const { document } = await openBytes(Buffer.from(list), 'list.json');
    expect(document.slots).toHaveLength(1);
  });
});

describe('a JSON file whose keys are all forms of plurals', () => {
  // Garbage collection may double a time. A search of all keys for each would take thousands of times as long.
  it('takes at most six times as long as one with ordinary keys', async () => {
    const json = await loadFormat(describeFormat('json'));
    const timeOf = (form: string): number => {
      const entries = Array.from({ length: 150_000 }, (_, i) => `"key${i}_one":"a","key${i}_${form}":"b"`);
      const text = `{${entries.join(',')}}`;
      const begin = processorTime();
      expect(json.scan(text, { locale: 'en', isUpload: true }).slots).toHaveLength(300_000);
      return processorTime() - begin;
    };
    const times = ['another', 'other', 'another', 'other'].map(timeOf);
    const [, , plain = 0, plurals = Infinity] = times;
    expect(plurals, times.join(' ')).toBeLessThan(plain * 6);
  });
});

describe('a file with more findings than a call may have arguments', () => {
  it('is read with all of its warnings', async () => {
    const json = await loadFormat(describeFormat('json'));
    const { warnings } = json.scan(`{${'"a":1,'.repeat(200_000)}"b":"c"}`);
    expect(warnings).toHaveLength(199_999);
  });
});
