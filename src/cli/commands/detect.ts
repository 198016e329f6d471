import { DragomanError } from '../../base/errors.ts';
import { languageName } from '../../languages/catalog.ts';
import { detectLanguage } from '../../languages/detection.ts';
import type { CommandModule } from '../command.ts';
import { addExamples } from '../examples.ts';
import { OK } from '../exit-code.ts';
import { readTexts } from '../input.ts';

export const detect: CommandModule<object> = {
  configure(command) {
    command.argument('[text...]', 'texts; standard input when there are none');
    addExamples(command, [
      ['dragoman detect "Guten Morgen" "Buenos días"', 'one code for each text'],
      ['dragoman detect < letter.txt', 'the language of a whole file'],
    ]);
  },

  async run(args, _options, { terminal, output }) {
    const texts = await readTexts(args, terminal);
    const detections: { text: string; language: string }[] = [];
    for (const text of texts) {
      if (text.trim() === '') throw new DragomanError('usage', 'the text cannot be empty');
      const { language } = await detectLanguage(text);
      if (language === undefined) {
        throw new DragomanError('unsupported_language', 'cannot tell the language of the text', {
          hint: 'A few more words make it easier.',
        });
      }
      detections.push({ text, language });
    }
    if (output.json) {
      output.document({ language_detection: detections.length === 1 ? detections[0] : detections });
    } else {
      for (const { language } of detections) {
        output.result(language);
        output.detail(languageName(language));
      }
    }
    return OK;
  },
};
