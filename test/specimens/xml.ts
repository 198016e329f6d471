import { expat } from '../readers/xml.ts';
import { saxes } from './reference.ts';
import type { Specimen } from './specimen.ts';

export const xml: Specimen = {
  fixtures: /\.(?:xml|resx|stringsdict)$/,
  reader: expat,
  sample: {
    text:
      '<!DOCTYPE resources [<!ENTITY app "App">]>\n<resources><string name="a"> &app; \\\'n\\n <b x="1">&lt;</b></string>' +
      '<plurals name="p"><item quantity="other"><![CDATA[<i>]]></item></plurals></resources>',
    read: [
      ['a', 'App \'n\n <b x="1">&lt;</b>'],
      ['p', 'other', '&lt;i&gt;'],
    ],
    broken: '<a><b></a>',
  },
  threeKeys: {
    text: ['a', 'b', 'c']
      .map((name, i) => `<string name="${name}">${i + 1}</string>`)
      .join('\n')
      .replace(/^[^]*$/, '<resources>$&</resources>\n'),
    hostile: 'x</string><string name="d">y',
  },
  hostile: [
    ['S %1$s W %2$d%%', '%1$s', '%2$d'],
    ['S <b>W <i>S</i></b> <xliff:g id="x">%s</xliff:g>', '<b>', '</b>', '<i>', '</i>', '<xliff:g', '%s'],
  ],
  made: [
    {
      name: 'android',
      extension: 'xml',
      head: '<?xml version="1.0" encoding="utf-8"?>\n<resources>\n',
      entry: (i, text) => `    <string name="key_${i}">${text} – <b>%1$s</b></string>\n`,
      tail: '</resources>\n',
      megabytes: 300,
      reference: saxes,
    },
    {
      name: 'resx',
      extension: 'resx',
      head: '<?xml version="1.0" encoding="utf-8"?>\n<root>\n  <resheader name="version"><value>2.0</value></resheader>\n',
      entry: (i, text) =>
        `  <data name="Key${i}" xml:space="preserve">\n    <value>${text} – {0}</value>\n  </data>\n`,
      tail: '</root>\n',
      megabytes: 300,
      reference: saxes,
    },
    {
      name: 'stringsdict',
      extension: 'stringsdict',
      head: '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0">\n<dict>\n',
      entry: formOfPlural,
      tail: '</dict>\n</plist>\n',
      megabytes: 300,
      reference: saxes,
    },
  ],
};

/** Two keys are the two forms of one plural. */
function formOfPlural(i: number, text: string): string {
  const form = (category: string): string =>
    `      <key>${category}</key>\n      <string>%d – ${text}</string>\n`;
  if (i % 2 === 1) return `${form('other')}    </dict>\n  </dict>\n`;
  return (
    `  <key>key${i}</key>\n  <dict>\n    <key>NSStringLocalizedFormatKey</key>\n    <string>%#@n@</string>\n` +
    '    <key>n</key>\n    <dict>\n      <key>NSStringFormatSpecTypeKey</key>\n      <string>NSStringPluralRuleType</string>\n' +
    `      <key>NSStringFormatValueTypeKey</key>\n      <string>d</string>\n${form('one')}`
  );
}
