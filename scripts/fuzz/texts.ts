import { DragomanError } from '../../src/base/errors.ts';
import type { Engine } from '../../src/engines/engine.ts';
import { scanEmail } from '../../src/formats/email/email.ts';
import { readPage } from '../../src/formats/html/page.ts';
import { render } from '../../src/formats/render.ts';
import { convertSubtitles } from '../../src/formats/subtitles/convert.ts';
import type { SubtitleDocument } from '../../src/formats/subtitles/document.ts';
import type { SubtitleFormat } from '../../src/formats/subtitles/names.ts';
import { scanSubtitles, SUBTITLE_FORMATS } from '../../src/formats/subtitles/format.ts';
import { translateMessage } from '../../src/documents/message/translate-message.ts';
import { translateHtml } from '../../src/documents/page/translate-page.ts';
import { translateSubtitles } from '../../src/documents/subtitles/translate-subtitles.ts';
import { caughtIn, Defect } from '../../src/plugins/contract/promises.ts';
import type { Random } from '../../src/plugins/contract/random.ts';
import { randomValue } from '../../src/plugins/contract/mutation.ts';

/** Undefined if the text is refused with one of the program's own errors. */
function orRefused<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof DragomanError) return undefined;
    throw error;
  }
}

/** Reads, translates and converts a subtitle file, and reads the results. */
export async function trySubtitles(format: SubtitleFormat, text: string, random: Random): Promise<void> {
  const document = orRefused(() => scanSubtitles(text, format));
  if (!document) return;
  const values = new Map<number, string>();
  for (const index of document.slots.keys()) if (!random.once(3)) values.set(index, randomValue(random));
  const scanner = { scan: (source: string) => scanSubtitles(source, format) };
  const { rejected, document: written } = render(scanner, document, values);
  const caught = caughtIn(rejected, values);
  if (headsOf(written) !== headsOf(document)) throw new Defect('writing changed the timing lines');
  const { content } = await translateSubtitles(text, format, contextOf(random));
  if (headsOf(scanSubtitles(content, format)) !== headsOf(document)) {
    throw new Defect('translating changed the timing lines');
  }
  // A script may have nothing to display, and therefore nothing to convert.
  const to = SUBTITLE_FORMATS[random.below(SUBTITLE_FORMATS.length)] ?? 'srt';
  try {
    convertSubtitles(document, to);
  } catch (error) {
    if (!(error instanceof DragomanError) || error.code !== 'unreadable_input') throw error;
  }
  if (caught) throw caught;
}

/** The declared language differs in a translation. */
function headsOf({ text, cues }: SubtitleDocument): string {
  const heads = cues.map(({ head }) => text.slice(head.start, head.end));
  return JSON.stringify(heads.map((head) => head.replace(/xml:lang\s*=\s*(?:"[^"]*"|'[^']*')/g, 'xml:lang')));
}

/** Reads and translates a page, and reads the result. */
export async function tryHtml(text: string, random: Random): Promise<void> {
  const attributes = random.once(2);
  const page = orRefused(() => readPage(text, { attributes }));
  if (!page) return;
  const { html } = await translateHtml(text, { ...contextOf(random), attributes });
  const [before, after] = [page.frame, readPage(html, { attributes }).frame];
  if (before.markup !== after.markup || before.outline !== after.outline) {
    throw new Defect('translating changed more than the texts');
  }
}

/** Reads and translates a message, and reads the result. */
export async function tryEmail(text: string, random: Random): Promise<void> {
  const email = orRefused(() => scanEmail(text));
  if (!email) return;
  const { email: translated } = await translateMessage(email, contextOf(random));
  const again = scanEmail(translated.text);
  if (again.texts.length !== email.texts.length) throw new Defect('translating changed the number of texts');
}

function contextOf(random: Random): {
  engine: Engine;
  source: string;
  target: string;
  signal: AbortSignal;
} {
  return { engine: engineOf(random), source: 'en', target: 'fr', signal: new AbortController().signal };
}

/** Answers with the text itself and some inserted words, like an unreliable engine. */
function engineOf(random: Random): Engine {
  return {
    id: 'fuzz',
    isPseudo: true,
    status: () => Promise.resolve({ id: 'fuzz', ready: true, detail: '', pairs: 'any' }),
    supports: () => Promise.resolve(true),
    translate: ({ texts }) =>
      Promise.resolve(
        texts.map((text) => {
          const at = random.below(text.length + 1);
          if (random.once(8))
            return { translation: text.slice(0, at) + randomValue(random) + text.slice(at) };
          return { translation: `${text} é` };
        }),
      ),
    close: () => Promise.resolve(),
  };
}
