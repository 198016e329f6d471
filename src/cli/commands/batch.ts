import { DragomanError } from '../../base/errors.ts';
import { MAX_TEXTS } from '../../contract/limits.ts';
import type { BatchItem } from '../../contract/texts.ts';
import type { CallOptions, TranslationService } from '../../service/service.ts';
import { readBatch } from '../batch-input.ts';
import { addResourceOptions, type ResourceFlags } from '../translation-resources.ts';
import type { CommandContext, CommandModule } from '../command.ts';
import { addServiceOptions, type ServiceFlags } from '../service/options.ts';
import { addExamples } from '../examples.ts';
import { OK, PARTIAL } from '../exit-code.ts';
import { addLanguageOptions, requireTargets, sourceOf, type LanguageOptions } from '../language-options.ts';
import { withService } from '../service/with-service.ts';
import {
  failAll,
  isOfPair,
  reportFailures,
  translateInto,
  type TargetTranslations,
  type TextsRequest,
} from '../text-translation.ts';
import { printHints } from '../documents/unavailable.ts';

export const batch: CommandModule<LanguageOptions & ServiceFlags & ResourceFlags> = {
  configure(command) {
    command.argument('[file]', 'lines, or a JSON array of strings; standard input without it');
    addLanguageOptions(command);
    addServiceOptions(command);
    addResourceOptions(command);
    addExamples(command, [
      ["printf 'Hello\\nGood morning\\n' | dragoman batch -s en -t es", 'one line out for each line in'],
      [
        'dragoman batch texts.json -t fr --json',
        'one result for each text; with --json line breaks stay as they are, otherwise they are \\n',
      ],
    ]);
  },

  async run([file], options, context) {
    const { terminal, output } = context;
    const source = sourceOf(options) ?? 'auto';
    const targets = requireTargets(options);
    const kept: BatchItem[] = [];
    let total = 0;
    let failed = 0;
    let texts = 0;
    const unavailable = new Map<string, DragomanError>();
    const stopped = await withService(options, context, async (service) => {
      const size = groupSize(service);
      let around: readonly string[] = [];
      for await (const lines of readBatch(file, terminal)) {
        around = [...around.slice(-KEPT_LINES), ...lines];
        for (let i = 0; i < lines.length; i += size) {
          const group = lines.slice(i, i + size);
          const progress = await output.progress();
          progress.update(`translating ${texts + 1} to ${texts + group.length}`);
          let result: TargetTranslations;
          try {
            result = await translateGroup(
              service,
              { source, targets, texts: group, around },
              total > 0,
              context,
            );
          } finally {
            progress.stop();
          }
          for (const error of result.unavailable) unavailable.set(error.message, error);
          const items = result.stopped ? untilLastSuccess(result.items) : result.items;
          if (output.json) kept.push(...items);
          else {
            // In no other group there will be a translation: lines of the source alone would look like one.
            const isInVain = source !== 'auto' && result.unavailable.length === targets.length;
            if (!isInVain) print(items, targets.length, context);
            reportFailures(items, { first: texts + 1, targets: targets.length }, output);
          }
          texts += group.length;
          total += items.length;
          failed += items.filter(({ success }) => !success).length;
          if (result.stopped) return result.stopped;
        }
      }
      return undefined;
    });
    printHints([...unavailable.values()], output);
    const document = { translations: kept, total, successful: total - failed, failed };
    if (stopped) return output.failure(stopped, document);
    if (output.json) output.document(document);
    return failed > 0 ? PARTIAL : OK;
  },
};

/** Lines of standard input come in pieces: this many lines before a piece help to detect the language of its lines. */
const KEPT_LINES = 1_000;

/** Results are printed as they come; a service elsewhere gets enough texts to send equal ones once and batches side by side. */
function groupSize({ parallelCalls }: TranslationService): number {
  return parallelCalls === undefined ? MAX_TEXTS : 10 * MAX_TEXTS;
}

/** The error that ended the work reports what was not done. */
function untilLastSuccess(items: readonly BatchItem[]): readonly BatchItem[] {
  return items.slice(0, items.findLastIndex(({ success }) => success) + 1);
}

/**
 * An error ends the command at once only when it is that of the first texts: nothing is lost then. Later on a language
 * that nothing can translate is a failure of these texts.
 */
async function translateGroup(
  service: TranslationService,
  request: TextsRequest & Pick<CallOptions, 'around'>,
  isLater: boolean,
  { terminal }: CommandContext,
): Promise<TargetTranslations> {
  try {
    return await translateInto(service, request, { signal: terminal.signal, around: request.around });
  } catch (error) {
    if (!isLater || !(error instanceof DragomanError)) throw error;
    const { texts, source, targets } = request;
    const items = texts.flatMap((text) =>
      targets.flatMap((target) => failAll([text], source, target, error)),
    );
    return { items, stopped: isOfPair(error) ? undefined : error, unavailable: [] };
  }
}

function print(items: readonly BatchItem[], targets: number, { terminal, output }: CommandContext): void {
  for (const item of items) {
    const line = asLine(item.translation, terminal.stdout.isTTY === true);
    output.translation(targets > 1 ? `${item.target}\t${line}` : line);
  }
}

/** A text of one line: the end of a CRLF line stays, breaks inside are written as escapes. */
function asLine(text: string, isTerminal: boolean): string {
  const [body, end] = text.endsWith('\r') ? [text.slice(0, -1), '\r'] : [text, ''];
  return body.replaceAll('\r', '\\r').replaceAll('\n', '\\n') + (isTerminal ? '' : end);
}
