import { describeAs } from '../description.ts';

export const yaml = describeAs({
  id: 'yaml',
  title: 'YAML',
  extensions: ['yaml', 'yml'],
  jobExtensions: ['yaml', 'yml'],
  marks: '\n:[',
  mediaType: 'application/yaml',
  localeStyle: 'bcp47',
  uniqueKeys: 'by some',
  listsRecords: (head) => FIRST_RECORD.test(head) && !/^(?:- | ) *["']?id["']?:/m.test(head),
  namesTexts: (path) => /(?:^|\/)_locales\//.test(path),
  load: async () => (await import('./format.ts')).yaml,
});

/** The first list item of a document, if it is a mapping. */
const FIRST_RECORD = /^(?:[ \t]*(?:(?:#|---)[^\n]*)?\r?\n)*- +["']?[\w-]+["']?:/;
