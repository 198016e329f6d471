import { lxml } from '../readers/bilingual.ts';
import { saxes } from './reference.ts';
import type { Specimen } from './specimen.ts';

export const qt: Specimen = {
  fixtures: /\.ts$/,
  reader: lxml('qt'),
  sample: {
    text:
      '<!DOCTYPE TS><TS version="2.1" language="de"><context><name>C</name><message><source>A &amp;amp; &lt;b&gt;</source><translation>x &apos;</translation></message>' +
      '<message><source>B</source><comment>c</comment><translation type="vanished">y</translation></message>' +
      '<message numerus="yes"><source>%n</source><comment>c</comment><translation type="unfinished"><numerusform>1</numerusform><numerusform></numerusform></translation></message></context></TS>',
    read: [
      ['C', 'A &amp; <b>', '', "x '"],
      ['C', '%n', 'c', '1'],
      ['C', '%n', 'c', ''],
    ],
    broken: '<TS><context></TS>',
  },
  threeKeys: {
    text: ['a', 'b', 'c']
      .map((id, i) => `<message><source>${id}</source><translation>${i + 1}</translation></message>`)
      .join('\n')
      .replace(/^[^]*$/, '<TS version="2.1"><context><name>x</name>$&</context></TS>\n'),
    hostile: 'x</translation></message><message><source>d</source><translation>y</translation></message>',
  },
  hostile: [
    ['S %1 W %L2 S', '%1', '%L2'],
    ['&lt;b&gt;S&lt;/b&gt; %1 W', '<b>', '</b>', '%1'],
  ],
  made: [
    {
      name: 'qt',
      extension: 'ts',
      head: '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="es">\n<context>\n    <name>Main</name>\n',
      entry: (i, text) =>
        `    <message>\n        <location filename="main.cpp" line="${i}"/>\n        <source>${text} – %1</source>\n        <translation type="unfinished"></translation>\n    </message>\n`,
      tail: '</context>\n</TS>\n',
      megabytes: 300,
      reference: saxes,
    },
  ],
};
