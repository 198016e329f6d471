import { describe, expect, it } from 'vitest';
import { fuzz } from '../../scripts/fuzz/campaign.ts';
import { FUZZED } from '../../scripts/fuzz/documents.ts';
import { Caught, Defect, tryEntries } from '../../src/plugins/contract/promises.ts';
import { minimize } from '../../scripts/fuzz/minimize.ts';
import { Random } from '../../src/plugins/contract/random.ts';
import type { Found, FoundAgain } from '../../scripts/fuzz/worker.ts';
import { describeFormat, FORMAT_IDS, loadFormat } from '../../src/formats/registry.ts';

/** The first examples of `npm run fuzz`. */
describe('mutated documents', () => {
  it.each(FUZZED)(
    '%s: cause no crash or hang, and nothing is written that does not read back',
    async (fuzzed) => {
      const finds: (Found | FoundAgain)[] = [];
      await fuzz({ fuzzed, merges: false, trials: 300, seed: 1, onFound: (found) => finds.push(found) });
      expect(finds).toEqual([]);
    },
  );

  const merged = FUZZED.filter((one) =>
    FORMAT_IDS.some((id) => id === one && describeFormat(id).isProse !== true),
  );

  it.each(merged)(
    '%s: texts of one document are inserted into another, and nothing else changes',
    async (fuzzed) => {
      const finds: (Found | FoundAgain)[] = [];
      await fuzz({ fuzzed, merges: true, trials: 300, seed: 1, onFound: (found) => finds.push(found) });
      expect(finds).toEqual([]);
    },
  );

  it('are compared even if removals change the dialect', async () => {
    const json = await loadFormat(describeFormat('json'));
    // Without b it is FormatJS, and the description is not a value.
    const text = '{"a":{"defaultMessage":"A","description":"B"},"b":{"c":"C"}}';
    const attempt = (format: typeof json, document = text, seeds = 20): void => {
      for (let seed = 0; seed < seeds; seed++) tryEntries(format, document, new Random(seed));
    };
    expect(() => attempt(json)).not.toThrow();
    // Without the second entry, the file has VS Code's comments; with it, these are values.
    const comments = '{"a":{"message":"M","comment":["","A"]},"a":{"":""},"p":{"":""}}';
    expect(() => attempt(json, comments, 200)).not.toThrow();
    // The first member shows that there is a list of comments, and the first element that the file is FormatJS's.
    const members = '{"":{"message":"","comment":["",""]},"e":{"comment":"e","message":""}}';
    expect(() => attempt(json, members, 200)).not.toThrow();
    const list = '[{"id":"","":""},{"id":"b","defaultMessage":"B"}]';
    expect(() => attempt(json, list, 200)).not.toThrow();
    const tearing: typeof json = {
      ...json,
      remove: (document, keys) => {
        const edits = json.remove(document, keys);
        const at = document.text.indexOf('"B"') + 1;
        const isKept = edits.length > 0 && keys.every(([top]) => top === 'b');
        return isKept ? [{ span: { start: at, end: at + 1 }, text: '' }, ...edits] : edits;
      },
    };
    expect(() => attempt(tearing)).toThrow(new Defect('a removal loses or changes ["a","description"]'));
  });

  it('may keep a text of their own language in the skeleton until it is translated', async () => {
    const xliff = await loadFormat(describeFormat('xliff'));
    const unit = '<trans-unit id="b"><source>key</source><target><![CDATA[Text]]></target></trans-unit>';
    const text = `<xliff version="1.2"><file original="a"><body>${unit}</body></file></xliff>`;
    expect(() => tryEntries(xliff, text, new Random(1))).not.toThrow();
  });

  it('are distinguished from defects when the program skips a value', async () => {
    const json = await loadFormat(describeFormat('json'));
    const careless: typeof json = {
      ...json,
      scan: (text, options) => {
        const document = json.scan(text, options);
        const slots = document.slots.map((slot): typeof slot =>
          Object.assign(Object.create(slot), { encode: () => '""' }),
        );
        return Object.create(document, { slots: { value: slots } });
      },
    };
    expect(() => {
      for (let seed = 0; seed < 20; seed++) tryEntries(careless, '{"a":"b"}', new Random(seed));
    }).toThrow(Caught);
  });

  it('are minimized as long as they show the problem', async () => {
    const text = `${'word '.repeat(200)}BAD${'\nline'.repeat(200)}`;
    const smallest = await minimize(text, (shorter) => Promise.resolve(shorter.includes('BAD')));
    expect(smallest).toBe('BAD');
  });
});
