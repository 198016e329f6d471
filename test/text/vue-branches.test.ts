import { compileToFunction, createCoreContext, registerMessageCompiler, translate } from '@intlify/core-base';
import { describe, expect, it } from 'vitest';
import { parseMessage } from '../../src/text/message.ts';

registerMessageCompiler(compileToFunction);

/** What vue-i18n shows by its own rule for plurals, which applications seldom replace. */
function show(message: string, locale: string, count: number): unknown {
  const context = createCoreContext({ locale, messages: { [locale]: { key: message } } });
  // Its types do not fit its own with exact optional properties.
  return translate(context as unknown as Parameters<typeof translate>[0], 'key', count);
}

describe('branches of vue-i18n', () => {
  it.each(['one car | {count} cars', 'no cars | one car | {count} cars'])(
    '%s has as many in every language as its default rule chooses among',
    (source) => {
      expect(show(source, 'en', 2)).toBe('2 cars');
      for (const locale of ['ar', 'de', 'ja', 'pl', 'ru']) {
        const message = parseMessage(source, 'vue');
        const segments = message.segments(locale);
        const translation = message.assemble(locale, segments);
        expect(message.problemsOf(translation, locale)).toEqual([]);
        for (const n of [0, 1, 2, 5, 21, 100])
          expect(show(translation, locale, n)).toBe(show(source, 'en', n));
      }
    },
  );
});
