import { scanSubtitles } from '../../src/formats/subtitles/format.ts';
import { translateSubtitles } from '../../src/documents/subtitles/translate-subtitles.ts';
import { ECHO, timed } from './echo.ts';
import { interleave, median, milliseconds, printRow } from './measure.ts';
import { Sentences } from './words.ts';

const CUES = 1500;
const RUNS = 25;

/** A film of 1,500 cues: all work except the engine's, compared with finding the cues. */
export async function benchSubtitles(): Promise<void> {
  const text = makeFilm();
  const context = { engine: ECHO, source: 'en', target: 'fr', signal: new AbortController().signal };
  const [scans = [], wholes = []] = await interleave(RUNS, [
    timed(() => scanSubtitles(text, 'srt')),
    timed(() => translateSubtitles(text, 'srt', context)),
  ]);
  const [scan, whole] = [median(scans), median(wholes)];
  printRow(`subtitles  ${CUES} cues, scan`, milliseconds(scan));
  printRow(
    `subtitles  ${CUES} cues, all but the engine`,
    `${milliseconds(whole)}  ${(whole / scan).toFixed(1)} x the scan's time`,
  );
}

/** Sentences of one line, of two lines and of two cues, and dialogue. */
function makeFilm(): string {
  const sentences = new Sentences();
  const clock = (second: number): string => `${new Date(second * 1000).toISOString().slice(11, 19)},000`;
  const texts: string[] = [];
  while (texts.length < CUES) {
    const sentence = sentences.next();
    const middle = sentence.indexOf(' ', sentence.length / 2);
    const [first, second] = [sentence.slice(0, middle), sentence.slice(middle + 1)];
    texts.push(`<i>${first}\n${second}</i>`, first, second, `- ${sentences.next()}\n- ${second}`);
  }
  return texts
    .slice(0, CUES)
    .map((text, i) => `${i + 1}\n${clock(i * 3)} --> ${clock(i * 3 + 2)}\n${text}\n`)
    .join('\n');
}
