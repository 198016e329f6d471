import { DragomanError } from '../../base/errors.ts';
import { MAX_EMAIL_BODY, MAX_TEXT } from '../../contract/limits.ts';
import { decode } from '../../formats/encoding.ts';
import { readPage } from '../../formats/html/page.ts';
import { languageOfPage } from '../../pipeline/declared-language.ts';
import { translateEmail, type TranslatedEmail } from '../../pipeline/email/translate-email.ts';
import { textsOf } from '../../pipeline/html/translate-html.ts';
import { refuseResources } from '../translation-resources.ts';
import type { CommandContext } from '../command.ts';
import { OK, PARTIAL, type ExitCode } from '../exit-code.ts';
import { writeReferences } from '../html/remote-page.ts';
import { fits } from '../service/document-limit.ts';
import { withTranslator } from '../service/translator.ts';
import { resolveSource, sourceForService } from '../source-language.ts';
import { translateEmailThere } from './remote-email.ts';
import { destinationsOf, STDOUT, type Destination } from './outputs.ts';
import { inInput, type EmailRun } from './run.ts';
import { doTasks, type Done } from '../tasks.ts';
import { printUnavailable, unavailableDocument } from '../unavailable.ts';
import { writeOutput } from '../write-output.ts';

interface Job {
  readonly target: string;
  /** Undefined: everything goes to standard output. */
  readonly destination: Destination | undefined;
}

interface Translation extends Job {
  readonly result: TranslatedEmail & { readonly warning?: string | undefined };
}

/** Translates a subject and an HTML body (specification: `POST /v2/translate/email`). */
export async function runBody(run: EmailRun, subject: string, context: CommandContext): Promise<ExitCode> {
  const { terminal, output } = context;
  const { name, targets, options } = run;
  const decoded = await openBody(run);
  const html = decoded.text;
  if (subject === '') throw new DragomanError('usage', 'the subject is empty');
  if (html === '') throw new DragomanError('usage', 'the body is empty');
  const destinations = await bodyDestinations(run, context);
  const result = await withTranslator(options, context, async ({ engine, resources, service, stopped }) => {
    const whole = service && fits(subject, MAX_TEXT) && fits(html, MAX_EMAIL_BODY) ? service : undefined;
    if (whole) refuseResources(options);
    const source = await sourceOfBody(run, { subject, html, isWhole: whole !== undefined });
    const progress = await output.progress();
    const encodable = (text: string): boolean => decoded.encodable(text);
    const task = async ({ target, destination }: Job): Promise<Translation> => {
      progress.update(`${name} → ${target}`);
      const direction = { source, target, signal: terminal.signal };
      const result = whole
        ? await translateEmailThere(whole, { subject, html, name }, direction)
        : await translateEmail(
            { subject, html, encodable },
            {
              ...direction,
              ...resources,
              engine,
              concurrency: options.concurrency,
              onProgress: (finished, total) =>
                progress.update(`${name} → ${target}: ${finished} of ${total}`),
            },
          );
      const stop = stopped();
      if (stop && result.html === html && result.subject === subject) throw stop;
      if (typeof destination === 'string') {
        await writeOutput(destination, decoded.encode(writeReferences(result.html, encodable)));
      }
      return { target, destination, result };
    };
    const jobs = targets.map((target, i): Job => ({ target, destination: destinations?.[i] }));
    try {
      return await doTasks(jobs, task, { stopped, atOnce: whole?.parallelCalls });
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

interface Body {
  readonly subject: string;
  readonly html: string;
  /** Whether a service gets it as it is. */
  readonly isWhole: boolean;
}

async function sourceOfBody({ source, name }: EmailRun, { subject, html, isWhole }: Body): Promise<string> {
  if (source !== undefined) return source;
  const page = readPage(html);
  const declared = languageOfPage(page);
  if (isWhole) return sourceForService(undefined, declared);
  return resolveSource(undefined, [subject, ...textsOf(page)], name, declared);
}

async function openBody({ bytes, name, options }: EmailRun): Promise<Awaited<ReturnType<typeof decode>>> {
  try {
    return await decode(bytes, 'html', options.encoding);
  } catch (error) {
    throw inInput(error, name);
  }
}

/** Files, where -o names some; undefined: everything goes to standard output. */
async function bodyDestinations(
  { input, targets, options }: EmailRun,
  { terminal, output }: CommandContext,
): Promise<readonly Destination[] | undefined> {
  if (options.output === undefined || options.output === '-') {
    if (targets.length === 1 || output.json) return undefined;
    throw new DragomanError('usage', 'several languages cannot all go to standard output', {
      hint: 'Name a directory with -o, or use --json.',
    });
  }
  const force = options.force === true;
  return destinationsOf({
    input,
    targets,
    output: options.output,
    force,
    cwd: terminal.cwd,
    extension: '.html',
  });
}

/** Tells of what was done. @returns the document of `--json` */
function report(
  { name, targets }: EmailRun,
  { done: translations, unavailable }: Done<Job, Translation>,
  { output }: CommandContext,
): object {
  for (const { item, error } of unavailable) printUnavailable(name, item.target, error, output);
  for (const { target, result } of translations) {
    if (result.warning !== undefined) output.problem(result.warning);
    for (const { part, line, column, reason } of result.failures) {
      const place = part === 'subject' ? 'the subject' : `${name}:${line}:${column}:`;
      output.problem(`${place} (${target}) keeps its source text: ${reason}`);
    }
  }
  if (!output.json) printBodies(translations, targets, output);
  const languageOf = (target: string): object => (targets.length > 1 ? { target } : {});
  const documents: object[] = translations.map(({ target, destination, result }) => ({
    subject: result.subject,
    html_body: result.html,
    ...languageOf(target),
    ...(typeof destination === 'string' ? { path: destination } : {}),
    ...(result.failures.length > 0 ? { failures: result.failures } : {}),
  }));
  for (const { item, error } of unavailable)
    documents.push({
      subject: null,
      html_body: null,
      ...languageOf(item.target),
      ...unavailableDocument(error),
    });
  return (targets.length === 1 && documents[0]) || { translations: documents };
}

function printBodies(
  translations: readonly Translation[],
  targets: readonly string[],
  output: CommandContext['output'],
): void {
  for (const { target, destination, result } of translations) {
    if (destination === undefined || destination === STDOUT) {
      output.translation(`Subject: ${result.subject}\n`);
      output.content(result.html.endsWith('\n') ? result.html : `${result.html}\n`);
    } else {
      output.translation(targets.length > 1 ? `${target}\t${result.subject}` : result.subject);
    }
  }
}
