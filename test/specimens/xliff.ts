import { lxml } from '../readers/bilingual.ts';
import { saxes } from './reference.ts';
import type { Specimen } from './specimen.ts';

export const xliff: Specimen = {
  fixtures: /\.xlf$/,
  reader: lxml('xliff'),
  sample: {
    text:
      '<xliff version="1.2"><file original="f"><body><trans-unit id="a"><source>A</source><target>x &amp; <g id="1"><![CDATA[<y>]]></g></target>' +
      '<alt-trans><target>no</target></alt-trans></trans-unit><group translate="no"><trans-unit id="b"><source>B</source></trans-unit></group>' +
      '<trans-unit id="c"><source>C</source></trans-unit></body></file></xliff>',
    read: [
      ['f', 'a', 'x &amp; <g id="1">&lt;y&gt;</g>'],
      ['f', 'c', ''],
    ],
    broken: '<xliff version="1.2"><file></xliff>',
  },
  threeKeys: {
    text: ['a', 'b', 'c']
      .map((id, i) => `<trans-unit id="${id}"><source>${id}</source><target>${i + 1}</target></trans-unit>`)
      .join('\n')
      .replace(/^[^]*$/, '<xliff version="1.2"><file original="f"><body>$&</body></file></xliff>\n'),
    hostile:
      '<target>x</target></trans-unit><trans-unit id="d"><source>d</source><target>y</target></trans-unit>',
  },
  hostile: [
    [
      '<g id="1">S W</g> S <x id="INTERPOLATION" equiv-text="{{ n }}"/>',
      '<g id="1">',
      '</g>',
      '<x id="INTERPOLATION" equiv-text="{{ n }}"/>',
    ],
    [
      'S <bpt id="1">&lt;b></bpt>S<ept id="1">&lt;/b></ept> <ph id="2">%s</ph>',
      '<bpt id="1">&lt;b></bpt>',
      '<ept id="1">&lt;/b></ept>',
      '<ph id="2">%s</ph>',
    ],
    ['{n, plural, one {W} other {# S}} S', '{n, plural, '],
  ],
  made: [
    {
      name: 'xliff',
      extension: 'xlf',
      head: '<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n  <file source-language="en" datatype="plaintext" original="app">\n    <body>\n',
      entry: (i, text) =>
        `      <trans-unit id="key${i}">\n        <source>${text} – <x id="INTERPOLATION" equiv-text="{{ name }}"/></source>\n        <note priority="1">note ${i}</note>\n      </trans-unit>\n`,
      tail: '    </body>\n  </file>\n</xliff>\n',
      megabytes: 300,
      reference: saxes,
    },
  ],
};
