import { describe, expect, it } from 'vitest';
import { projectWith } from './harness.ts';
import { hasPseudoTerminals, onTerminal } from './pseudo-terminal.ts';

const FILES = {
  'locales/en.json': JSON.stringify({ a: 'One', b: 'Two' }),
  'locales/es.json': '{}',
  'movie.srt': '1\n00:00:01,000 --> 00:00:02,000\nGood morning\n',
  'lines.txt': 'One\nTwo\n',
};
const PSEUDO = ['--engine', 'pseudo', '-s', 'en', '-t', 'es']; /** Written with the first frame. */
const HIDDEN_CURSOR = '\u001b[?25l';

describe.skipIf(!hasPseudoTerminals)('progress on a terminal, with results in a pipe', () => {
  it.each<[argv: readonly string[], screen: readonly string[]]>([
    [
      ['sync', ...PSEUDO],
      ['language  translated', 'es        2', 'translated by pseudo', '1 file written'],
    ],
    [['i18n', 'locales/en.json', '-o', '-', ...PSEUDO], ['{"a":"Öñé","b":"Ţŵö"}']],
    [
      ['subtitles', 'movie.srt', '-o', '-', ...PSEUDO],
      ['1', '00:00:01,000 --> 00:00:02,000', expect.any(String)],
    ],
    [
      ['batch', 'lines.txt', ...PSEUDO],
      ['Öñé', 'Ţŵö'],
    ],
  ])('%j: the progress line is cleared before the first result', async (argv, screen) => {
    const result = await onTerminal(argv, { cwd: projectWith(FILES), columns: 80, isPiped: true });
    // Commands other than sync may print their results before the first frame.
    if (argv[0] === 'sync') expect(result.sequences).toContain(HIDDEN_CURSOR);
    expect(result.screen.split('\n').toSorted()).toEqual([...screen].toSorted());
  });
});
