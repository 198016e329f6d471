import { DragomanError } from '../../base/errors.ts';
import type { BatchItem } from '../../contract/texts.ts';
import { addResourceOptions, type ResourceFlags } from '../execution/translation-resources.ts';
import type { CommandModule } from '../output/command.ts';
import { OK, PARTIAL } from '../output/exit-code.ts';
import { addServiceOptions, type ServiceFlags } from '../options/service.ts';
import { readTexts } from '../terminal/input.ts';
import { addLanguageOptions, requireTargets, sourceOf, type LanguageOptions } from '../options/language.ts';
import { withService } from '../execution/translator.ts';
import type { Output } from '../output/output.ts';
import { placeIn, reportFailures, translateInto } from '../execution/text-translation.ts';
import { printHints } from '../documents/open-each.ts';

export const translate: CommandModule<LanguageOptions & ServiceFlags & ResourceFlags> = {
  examples: [
    ['dragoman translate -s en -t es,ca "Good morning"', 'one line for each target language'],
    ['dragoman translate -t es < letter.txt > carta.txt', 'a whole text, detecting its language'],
  ],
  configure(command) {
    command.argument('[text...]', 'texts; default: standard input');
    addLanguageOptions(command);
    addServiceOptions(command);
    addResourceOptions(command);
  },

  async run(args, options, context) {
    const { terminal, output } = context;
    const targets = requireTargets(options);
    const source = sourceOf(options) ?? 'auto';
    const texts = await readTexts(args, terminal);
    if (texts.some((text) => text === '')) throw new DragomanError('usage', 'the text is empty');
    const { items, stopped, unavailable } = await withService(options, context, async (service) => {
      const progress = output.progress();
      const onProgress = (done: number, total: number): void =>
        progress.show({ ...placeIn(targets, done, texts.length), done, total, unit: 'texts' });
      try {
        const { signal } = terminal;
        return await translateInto(service, { texts, source, targets }, { signal, onProgress });
      } finally {
        await progress.stop();
      }
    });
    if (unavailable.length === 0 && !items.some(({ success }) => success)) {
      const reason = items[0]?.error ?? 'no outcome';
      throw new DragomanError('engine_failed', `the text could not be translated: ${reason}`);
    }
    if (stopped && output.json) return output.failure(stopped, documentOf(items));
    print(items, targets.length, output);
    printHints(unavailable, output);
    if (stopped) return output.failure(stopped);
    return items.every(({ success }) => success) ? OK : PARTIAL;
  },
};

function documentOf(items: readonly BatchItem[]): object {
  const translations = items.map(({ success, ...item }) => (success ? item : { ...item, success }));
  return { translations: translations.length === 1 ? translations[0] : translations, details: {} };
}

function print(items: readonly BatchItem[], targets: number, output: Output): void {
  if (output.json) {
    output.document(documentOf(items));
    return;
  }
  // If no translation succeeded, the source alone would look like a result.
  for (const item of items.some(({ success }) => success) ? items : []) {
    output.translation(
      targets > 1 ? `${item.target}\t${item.translation}` : item.translation.replace(/\n$/, ''),
    );
  }
  reportFailures(items, { first: 1, targets }, output);
}
