import { countCodePoints } from '../../base/code-points.ts';
import { DragomanError } from '../../base/errors.ts';
import { MAX_TEXT } from '../../contract/limits.ts';
import { languageName } from '../../languages/catalog.ts';
import { detectLanguage, undetectable } from '../../languages/detection.ts';
import { hasLetters } from '../../service/languages.ts';
import type { TranslationService } from '../../service/service.ts';
import type { CommandModule } from '../output/command.ts';
import { readTexts } from '../terminal/input.ts';
import { addServiceAccessOptions, type RemoteFlags } from '../options/service.ts';
import { chooseExecutionTarget } from '../execution/execution-target.ts';
import { withRemote } from '../execution/remote.ts';

export const detect: CommandModule<RemoteFlags> = {
  examples: [
    ['dragoman detect "Guten Morgen" "Buenos días"', 'one code for each text'],
    ['dragoman detect < letter.txt', 'the language of a whole file'],
  ],
  configure(command) {
    command.argument('[text...]', 'texts; default: standard input');
    addServiceAccessOptions(command);
  },

  async run(args, options, context) {
    const { terminal, output } = context;
    const texts = await readTexts(args, terminal);
    if (texts.some((text) => text.trim() === '')) {
      throw new DragomanError('usage', 'the text cannot be empty');
    }
    const execution = await chooseExecutionTarget(options, terminal);
    const languages =
      execution.kind === 'local'
        ? await detectLocally(texts)
        : await withRemote(execution.remote, options, context, ({ service }) =>
            detectRemotely(service, texts, terminal.signal),
          );
    const detections = texts.map((text, i) => ({ text, language: languages[i] ?? '' }));
    return output.answer({ language_detection: detections.length === 1 ? detections[0] : detections }, () => {
      for (const { language } of detections) {
        output.result(language);
        output.detail(languageName(language));
      }
    });
  },
};

async function detectLocally(texts: readonly string[]): Promise<readonly string[]> {
  const languages: string[] = [];
  for (const text of texts) {
    const { language } = hasLetters(text) ? await detectLanguage(text) : { language: 'und' };
    if (language === undefined) throw undetectable('Longer texts are easier to detect.');
    languages.push(language);
  }
  return languages;
}

/** The beginning of a long text is enough to detect its language: a service reads no more. */
async function detectRemotely(
  service: TranslationService,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const languages: string[] = [];
  for (const text of texts) {
    const { language_detection } = await service.detectLanguage({ text: beginningOf(text) }, { signal });
    languages.push(language_detection.language);
  }
  return languages;
}

function beginningOf(text: string): string {
  if (countCodePoints(text, MAX_TEXT) <= MAX_TEXT) return text;
  // A code point has at most two code units.
  return Array.from(text.trimStart().slice(0, 2 * MAX_TEXT))
    .slice(0, MAX_TEXT)
    .join('');
}
