import { DragomanError } from '../../base/errors.ts';
import { translateUnits } from '../../pipeline/units.ts';
import type { CommandModule } from '../command.ts';
import { addEngineOptions, chooseEngine, withEngine, type EngineFlags } from '../engine-options.ts';
import { OK } from '../exit-code.ts';
import { readTexts } from '../input.ts';
import { addLanguageOptions, requireTargets, sourceOf, type LanguageOptions } from '../language-options.ts';
import { resolveSource } from '../source-language.ts';

/** As in the specification: translation result (single text, v2). */
interface Translation {
  readonly text: string;
  readonly translation: string;
  readonly source: string;
  readonly target: string;
}

export const translate: CommandModule<LanguageOptions & EngineFlags> = {
  configure(command) {
    command.argument('[text...]', 'texts; standard input when there are none');
    addLanguageOptions(command);
    addEngineOptions(command);
  },

  async run(args, options, { terminal, output }) {
    const targets = requireTargets(options);
    const named = sourceOf(options);
    const texts = await readTexts(args, terminal);
    if (texts.some((text) => text === '')) throw new DragomanError('usage', 'the text is empty');
    const choice = await chooseEngine(options, terminal);
    const translations: Translation[] = [];
    await withEngine(choice, async (engine) => {
      const sources = await Promise.all(texts.map((text) => resolveSource(named, [text], 'the text')));
      for (const [i, text] of texts.entries()) {
        for (const target of targets) {
          const source = sources[i] ?? '';
          const units = [{ value: text, syntax: 'plain' as const }];
          const context = { engine, source, target, signal: terminal.signal };
          const [outcome] = await translateUnits(units, context);
          if (!outcome || 'failure' in outcome) throw failureOf(outcome?.kind, outcome?.failure);
          translations.push({ text, translation: outcome.value, source, target });
        }
      }
    });
    if (output.json) {
      const [first] = translations;
      output.document({ translations: translations.length === 1 ? first : translations, details: {} });
    } else {
      for (const { translation, target } of translations) {
        output.result(targets.length > 1 ? `${target}\t${translation}` : translation.replace(/\n$/, ''));
      }
    }
    return OK;
  },
};

function failureOf(kind: string | undefined, reason = 'no outcome'): DragomanError {
  if (kind === 'interrupted') return new DragomanError('interrupted', 'the translation was interrupted');
  return new DragomanError('engine_failed', `the text could not be translated: ${reason}`);
}
