import { describeAs } from '../description.ts';
import { listsCodes } from '../key-text.ts';

export const yaml = describeAs({
  id: 'yaml',
  title: 'YAML',
  extensions: ['yaml', 'yml'],
  jobExtensions: ['yaml', 'yml'],
  marks: '\n:[',
  mediaType: 'application/yaml',
  localeStyle: 'bcp47',
  uniqueKeys: 'by some',
  holdsRules: (head) => NUMBER_TABLE.test(head),
  listsRecords: (head) =>
    FIRST_RECORD.test(head) &&
    !/^(?:- | ) *["']?id["']?:/m.test(head) &&
    listsCodes(head, head.match(/^- /gm)?.length ?? 0),
  namesTexts: (path) => /(?:^|\/)_locales\//.test(path),
  load: async () => (await import('./format.ts')).yaml,
});

/**
 * Twelve consecutive lines such as `eleven: 11`. Catalogues contain at most a few numbers in a row among their texts.
 */
const NUMBER_TABLE = /(?:^[ \t]*["']?\p{L}[^:\n]{0,60}:[ \t]*\d{1,20}[ \t]*\r?\n){12}/mu;

/** The first list item of a document, if it is a mapping. */
const FIRST_RECORD = /^(?:[ \t]*(?:(?:#|---)[^\r\n]*)?\r?\n)*- +["']?[\w-]+["']?:/;
