import { DragomanError } from '../../src/base/errors.ts';
import { splice } from '../../src/base/span.ts';
import { isSubtitleFormat, type Fuzzed } from '../../scripts/fuzz/documents.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { scanEmail } from '../../src/formats/email/email.ts';
import type { Document } from '../../src/formats/format.ts';
import { describeFormat, loadFormat } from '../../src/formats/registry.ts';
import { render } from '../../src/formats/render.ts';
import { convertSubtitles } from '../../src/formats/subtitles/convert.ts';
import { scanSubtitles } from '../../src/formats/subtitles/format.ts';
import { translateMessage } from '../../src/documents/message/translate-message.ts';
import { translateHtml } from '../../src/documents/page/translate-page.ts';
import { translateCues } from '../../src/documents/subtitles/translate-subtitles.ts';
import { findSyntax } from '../../src/text/parse.ts';
import { parseMessage } from '../../src/text/message.ts';
import type { Syntax } from '../../src/text/syntax.ts';
import { verify } from '../../src/text/verify.ts';
import { processorTime } from '../processor-time.ts';

/** Processor milliseconds of each step. */
export type Times = Map<string, number>;

/** Everything that is done with a text. A refusal ends it. */
export type Work = (text: string) => Promise<Times>;

class Clock {
  readonly times: Times = new Map();

  async time<T>(step: string, run: () => T | Promise<T>): Promise<T> {
    const begin = processorTime();
    try {
      return await run();
    } finally {
      this.times.set(step, (this.times.get(step) ?? 0) + processorTime() - begin);
    }
  }
}

function timed(work: (text: string, clock: Clock) => Promise<void>): Work {
  return async (text) => {
    const clock = new Clock();
    try {
      await work(text, clock);
    } catch (error) {
      if (!(error instanceof DragomanError) || error.code === 'integrity') throw error;
    }
    return clock.times;
  };
}

/** The steps for a value. */
export function workOnMessage(syntax: Syntax): Work {
  return timed(async (value, clock) => {
    const message = await clock.time('parse', () => parseMessage(value, syntax));
    const segments = await clock.time('segments', () => message.segments('pl'));
    await clock.time('assemble', () => message.assemble('pl', segments));
    await clock.time('syntax', () => findSyntax(value, syntax));
    await clock.time('verify', () => verify(value, value, { syntax, locale: 'en' }));
    await clock.time('verify another', () => verify(value, `${value} x`, { syntax, locale: 'pl' }));
    await clock.time('verify less', () =>
      verify(`{a} ${value}`, value.slice(value.length >> 1), { syntax, locale: 'pl' }),
    );
  });
}

/** The steps for a file of this format. */
export async function workOn(fuzzed: Fuzzed): Promise<Work> {
  const context = () => ({
    engine: createPseudoEngine(),
    source: 'en',
    target: 'pl',
    signal: new AbortController().signal,
  });
  if (fuzzed === 'html')
    return timed(async (text, clock) => {
      for (const attributes of [true])
        await clock.time('translate', () => translateHtml(text, { ...context(), attributes }));
    });
  if (fuzzed === 'email')
    return timed(async (text, clock) => {
      const email = await clock.time('scan', () => scanEmail(text));
      await clock.time('translate', () => translateMessage(email, context()));
    });
  if (isSubtitleFormat(fuzzed))
    return timed(async (text, clock) => {
      const document = await clock.time('scan', () => scanSubtitles(text, fuzzed));
      await clock.time('translate', () => translateCues(document, context()));
      for (const to of ['vtt', 'ass', 'ttml'] as const)
        await clock.time(`to ${to}`, () => convertSubtitles(document, to));
    });
  const format = await loadFormat(describeFormat(fuzzed));
  return timed(async (text, clock) => {
    const document = await clock.time('scan', () => format.scan(text, { locale: 'en' }));
    await clock.time('entries', () => (void document.entries.length, document.tree));
    await clock.time('verify', () => {
      for (const { value, syntax } of document.slots) {
        parseMessage(value, syntax).segments('pl');
        verify(value, `${value} x`, { syntax, locale: 'pl' });
      }
    });
    await clock.time('render', () => {
      const values = new Map(document.slots.map(({ value }, i) => [i, `${value} x`]));
      return render(format, document, values, { locale: 'en' });
    });
    const options = { locale: 'pl', source: document };
    const skeleton: Document = await clock.time('retarget', () => {
      const edits = format.retarget(document, { locale: 'pl', spelling: 'pl', role: 'new' });
      return format.scan(splice(text, edits), options);
    });
    const keys = document.slots.filter((_, i) => i % 2 === 1).map(({ key }) => key);
    const rest = await clock.time('remove', () =>
      format.scan(splice(text, format.remove(document, keys)), options),
    );
    await clock.time('insert', () => format.insert(rest, skeleton, keys, options));
  });
}
