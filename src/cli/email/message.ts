import { DragomanError } from '../../base/errors.ts';
import { positionsIn } from '../../base/span.ts';
import { unsupportedEncoding, wideEncodingOf } from '../../base/utf8.ts';
import { scanEmail, signaturesOf, type Email } from '../../formats/email/email.ts';
import { readParagraphs } from '../../formats/email/paragraph.ts';
import { readPage } from '../../formats/html/page.ts';
import { textsOf } from '../../pipeline/html/translate-html.ts';
import { languageOfEmail } from '../../pipeline/email/declared-language.ts';
import { translateMessage, type TranslatedMessage } from '../../pipeline/email/translate-message.ts';
import type { CommandContext } from '../command.ts';
import { OK, PARTIAL, type ExitCode } from '../exit-code.ts';
import { withTranslator } from '../service/translator.ts';
import { resolveSource } from '../source-language.ts';
import { destinationsOf, STDOUT, type Destination } from './outputs.ts';
import { inInput, type EmailRun } from './run.ts';
import { doTasks, type Done } from '../tasks.ts';
import { printUnavailable, unavailableDocument } from '../unavailable.ts';
import { writeOutput } from '../write-output.ts';

interface Job {
  readonly target: string;
  readonly destination: Destination;
}

interface Written extends Job {
  readonly result: TranslatedMessage;
}

/** Translates a message file: RFC 5322 with MIME. */
export async function runMessage(run: EmailRun, context: CommandContext): Promise<ExitCode> {
  const { terminal, output } = context;
  const { input, name, targets, options } = run;
  const email = openMessage(run);
  const destinations = await destinationsOf({
    input,
    targets,
    output: options.output,
    force: options.force === true,
    cwd: terminal.cwd,
    extension: '.eml',
  });
  if (output.json && destinations.includes(STDOUT)) {
    throw new DragomanError('usage', 'with --json a message does not go to standard output too', {
      hint: 'Name a file or a directory with -o.',
    });
  }
  warn(email, name, context);
  const source = run.source ?? (await resolveSource(undefined, wordsOf(email), name, languageOfEmail(email)));
  const result = await withTranslator(options, context, async ({ engine, resources, stopped }) => {
    const progress = await output.progress();
    const task = async ({ target, destination }: Job): Promise<Written> => {
      progress.update(`${name} → ${target}`);
      const result = await translateMessage(email, {
        ...resources,
        engine,
        source,
        target,
        signal: terminal.signal,
        concurrency: options.concurrency,
        onProgress: (finished, total) => progress.update(`${name} → ${target}: ${finished} of ${total}`),
      });
      const stop = stopped();
      if (stop && result.email.text === email.text) throw stop;
      if (destination === STDOUT) output.content(result.bytes);
      else await writeOutput(destination, result.bytes);
      return { target, destination, result };
    };
    const jobs = targets.map((target, i): Job => ({ target, destination: destinations[i] ?? STDOUT }));
    try {
      return await doTasks(jobs, task, { stopped });
    } catch (failure) {
      throw inInput(failure, name);
    } finally {
      progress.stop();
    }
  });
  const { done, unavailable, error } = result;
  const document = report(run, result, context);
  if (error) return output.failure(error, document);
  if (output.json) output.document(document);
  const isWhole = unavailable.length === 0 && done.every(({ result: { failures } }) => failures.length === 0);
  return isWhole ? OK : PARTIAL;
}

function openMessage({ bytes, name }: EmailRun): Email {
  try {
    const wide = wideEncodingOf(bytes);
    if (wide) throw unsupportedEncoding(wide);
    const { buffer, byteOffset, byteLength } = bytes;
    return scanEmail(Buffer.from(buffer, byteOffset, byteLength).toString('latin1'));
  } catch (error) {
    throw inInput(error, name);
  }
}

function wordsOf({ subject, texts }: Email): readonly string[] {
  const bodies = texts.flatMap(({ kind, text, flowed }) =>
    kind === 'html' ? textsOf(readPage(text)) : readParagraphs(text, flowed).map(({ value }) => value),
  );
  return [...(subject ? [subject.value] : []), ...bodies];
}

function warn(email: Email, name: string, { output }: CommandContext): void {
  const positionOf = positionsIn(email.text);
  for (const { offset, message } of email.warnings) {
    const { line, column } = positionOf(offset);
    output.message(`${name}:${line}:${column}: warning: ${message}`);
  }
  for (const signature of signaturesOf(email)) {
    output.message(`${name}: warning: the ${signature} signature is not valid for the translation`);
  }
}

/** Tells of what was done. @returns the document of `--json` */
function report(
  { name }: EmailRun,
  { done: written, unavailable }: Done<Job, Written>,
  { output }: CommandContext,
): object {
  for (const { item, error } of unavailable) printUnavailable(name, item.target, error, output);
  for (const { target, destination, result } of written) {
    if (!output.json && destination !== STDOUT) output.result(destination);
    for (const { line, column, reason } of result.failures) {
      output.problem(`${name}:${line}:${column}: (${target}) keeps its source text: ${reason}`);
    }
  }
  const files = written.map(({ target, destination, result }) => ({
    source: name,
    language_code: target,
    path: destination === STDOUT ? null : destination,
    file_size: result.bytes.length,
    subject: result.email.subject?.value ?? null,
    texts: result.texts,
    failed_texts: result.failures.length,
    failures: result.failures,
  }));
  const failed = unavailable.map(({ item: { target }, error }) => ({
    source: name,
    language_code: target,
    path: null,
    ...unavailableDocument(error),
  }));
  return { files: [...files, ...failed] };
}
