import { describe, expect, it } from 'vitest';
import { qt } from '../../src/formats/qt/format.ts';
import { xliff } from '../../src/formats/xliff/format.ts';

describe('nested elements of XML', () => {
  const units = (ids: readonly string[]): string =>
    ids.map((id) => `<trans-unit id="${id}"><source>Text ${id}</source></trans-unit>`).join('\n');
  const document = `<xliff version="1.2"><file original="app"><body>
<group translate="no">${units(['a'])}<group translate="yes">${units(['b', 'c'])}</group></group>
<tool>${units(['d'])}</tool>${units(['e'])}<group/></body></file></xliff>`;

  it('are units if their parents hold units, and inherit from all of these', () => {
    expect(xliff.scan(document).slots.map(({ key }) => key.join())).toEqual(['app,b', 'app,c', 'app,e']);
  });

  it('are messages of a context, wherever its name is', () => {
    const message = (text: string): string =>
      `<message><source>${text}</source><translation type="unfinished"></translation></message>`;
    const text = `<TS version="2.1"><context><name>A</name>${message('1')}${message('2')}</context>
<context>${message('3')}<name>B</name>${message('4')}</context><other>${message('5')}</other></TS>`;
    expect(qt.scan(text).slots.map(({ key }) => key)).toEqual([
      ['A', '1', ''],
      ['A', '2', ''],
      ['B', '3', ''],
      ['B', '4', ''],
    ]);
  });
});
