import { MAX_TEXTS } from '../../contract/limits.ts';
import type { BatchItem } from '../../contract/texts.ts';
import type { TranslationService } from '../../service/service.ts';
import { readBatch } from '../batch-input.ts';
import type { CommandContext, CommandModule } from '../command.ts';
import { addServiceOptions, type ServiceFlags } from '../service/options.ts';
import { addExamples } from '../examples.ts';
import { OK, PARTIAL } from '../exit-code.ts';
import { addLanguageOptions, requireTargets, sourceOf, type LanguageOptions } from '../language-options.ts';
import { withService } from '../service/with-service.ts';
import { failAll, isOfPair, reportFailure, translateInto, type TextsRequest } from '../text-translation.ts';

export const batch: CommandModule<LanguageOptions & ServiceFlags> = {
  configure(command) {
    command.argument('[file]', 'lines, or a JSON array of strings; standard input without it');
    addLanguageOptions(command);
    addServiceOptions(command);
    addExamples(command, [
      ["printf 'Hello\\nGood morning\\n' | dragoman batch -s en -t es", 'one line out for each line in'],
      [
        'dragoman batch texts.json -t fr --json',
        'what became of each text; --json also shows line breaks as they are, lines have \\n for them',
      ],
    ]);
  },

  async run([file], options, context) {
    const { terminal, output } = context;
    const request = { source: sourceOf(options) ?? 'auto', targets: requireTargets(options) };
    const kept: BatchItem[] = [];
    let total = 0;
    let failed = 0;
    let texts = 0;
    await withService(options, context, async (service) => {
      for await (const lines of readBatch(file, terminal)) {
        for (let i = 0; i < lines.length; i += MAX_TEXTS) {
          const group = lines.slice(i, i + MAX_TEXTS);
          const progress = await output.progress();
          progress.update(`translating ${texts + 1} to ${texts + group.length}`);
          let items: readonly BatchItem[];
          try {
            items = await translateGroup(service, { ...request, texts: group }, total > 0, context);
          } finally {
            progress.stop();
          }
          if (output.json) kept.push(...items);
          else print(items, { first: texts + 1, targets: request.targets.length }, context);
          texts += group.length;
          total += items.length;
          failed += items.filter(({ success }) => !success).length;
        }
      }
    });
    if (output.json) output.document({ translations: kept, total, successful: total - failed, failed });
    return failed > 0 ? PARTIAL : OK;
  },
};

/** A language that nothing can translate ends the command only when it is that of the first texts: nothing is lost then. */
async function translateGroup(
  service: TranslationService,
  request: TextsRequest,
  isLater: boolean,
  { terminal }: CommandContext,
): Promise<readonly BatchItem[]> {
  try {
    return await translateInto(service, request, { signal: terminal.signal });
  } catch (error) {
    if (!isLater || !isOfPair(error)) throw error;
    const { texts, source, targets } = request;
    return texts.flatMap((text) => targets.flatMap((target) => failAll([text], source, target, error)));
  }
}

interface Numbering {
  /** The number of the first text of the items. */
  readonly first: number;
  readonly targets: number;
}

function print(
  items: readonly BatchItem[],
  { first, targets }: Numbering,
  { terminal, output }: CommandContext,
): void {
  for (const [i, item] of items.entries()) {
    const line = asLine(item.translation, terminal.stdout.isTTY === true);
    output.result(targets > 1 ? `${item.target}\t${line}` : line);
    reportFailure(item, first + Math.floor(i / targets), output);
  }
}

/** A text of one line: the end of a CRLF line stays where nobody looks at it, breaks inside are written as escapes. */
function asLine(text: string, isTerminal: boolean): string {
  const [body, end] = text.endsWith('\r') ? [text.slice(0, -1), '\r'] : [text, ''];
  return body.replaceAll('\r', '\\r').replaceAll('\n', '\\n') + (isTerminal ? '' : end);
}
