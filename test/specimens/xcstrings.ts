import { catalogParse } from '../readers/xcstrings.ts';
import { jsonRoundTrip } from './reference.ts';
import type { Specimen } from './specimen.ts';

export const xcstrings: Specimen = {
  fixtures: /\.xcstrings$/,
  reader: catalogParse,
  sample: {
    text:
      '{"sourceLanguage": "en", "strings": {"k": {}, "g": {"extractionState": "stale"}, "p": {"localizations": {"en": ' +
      '{"variations": {"plural": {"other": {"stringUnit": {"state": "new", "value": "é"}}}}}, "de": {}}}}}',
    read: [
      ['p', 'other', 'é'],
      ['k', 'k'],
    ],
    broken: '{"strings": {"k": {}',
  },
  threeKeys: {
    text: `{"strings": {${['a', 'b', 'c'].map((key, i) => `"${key}": ${english(`"${i + 1}"`)}`).join(', ')}}}\n`,
    hostile: '"x"}}}}, "d": {"localizations": {"en": {"stringUnit": {"value": "y"',
  },
  hostile: [
    ['S %1$@ W %2$lld', '%1$@', '%2$lld'],
    ['S %@\\nW', '%@', '\\n'],
  ],
  made: [
    {
      name: 'xcstrings',
      extension: 'xcstrings',
      head: '{\n  "sourceLanguage" : "en",\n  "strings" : {\n',
      entry: (i, text) => `    "${text} – %@" : {\n      "comment" : "Note ${i}"\n    },\n`,
      tail: '    "End" : {\n\n    }\n  },\n  "version" : "1.0"\n}',
      megabytes: 500,
      reference: jsonRoundTrip,
    },
  ],
};

function english(value: string): string {
  return `{"localizations": {"en": {"stringUnit": {"value": ${value}}}}}`;
}
