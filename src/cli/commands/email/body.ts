import { DragomanError } from '../../../base/errors.ts';
import { MAX_EMAIL_BODY, MAX_TEXT } from '../../../contract/limits.ts';
import { PAGES, writeReferences } from '../../../documents/page/translate-page.ts';
import { decode } from '../../../formats/encoding.ts';
import { readPage } from '../../../formats/html/page.ts';
import { translateEmail, type TranslatedEmail } from '../../../documents/message/translate-email.ts';
import type { CommandContext } from '../../output/command.ts';
import type { ExitCode } from '../../output/exit-code.ts';
import { nameWithLanguage, reportSkipped, STDOUT } from '../../documents/destinations.ts';
import { reportDryRun } from '../../documents/dry-run.ts';
import {
  type DocumentJob,
  finish,
  type JobWork,
  type NamedFile,
  planJobs,
  type Planned,
  runJobs,
  type TasksResult,
  type Written,
} from '../../documents/run.ts';
import { resolveSource, sourceForService } from '../../documents/source-language.ts';
import { unavailableDocument } from '../../documents/open-each.ts';
import { fits, translateEmailRemotely } from '../../documents/remote-documents.ts';
import { withTranslator } from '../../execution/translator.ts';
import { refuseResources } from '../../execution/translation-resources.ts';
import { inInput, type EmailRun } from './run.ts';

type BodyJob = DocumentJob<NamedFile>;

interface BodyResult extends TranslatedEmail {
  readonly bytes: Uint8Array;
  readonly isUntouched: boolean;
}

/** Translates a subject and an HTML body (specification: `POST /v2/translate/email`). */
export async function runBody(run: EmailRun, subject: string, context: CommandContext): Promise<ExitCode> {
  const { terminal, output } = context;
  const { options } = run;
  const { name } = run.file;
  const decoded = await openBody(run);
  const html = decoded.text;
  if (subject === '') throw new DragomanError('usage', 'the subject is empty');
  if (html === '') throw new DragomanError('usage', 'the body is empty');
  const { jobs, skipped } = await planBodies(run, context);
  if (options.dryRun) {
    const texts = [subject, ...PAGES.textsOf(readPage(html))];
    return reportDryRun({ jobs, skipped, unreadable: [], textsOf: () => texts }, options, context);
  }
  const result = await withTranslator(options, context, async ({ engine, resources, service, stopped }) => {
    const whole = service && fits(subject, MAX_TEXT) && fits(html, MAX_EMAIL_BODY) ? service : undefined;
    if (whole) refuseResources(options);
    const source = await sourceOfBody(run, { subject, html, isWhole: whole !== undefined });
    const encodable = (text: string): boolean => decoded.encodable(text);
    const translate: JobWork<BodyJob, BodyResult>['translate'] = async (job, onProgress) => {
      const direction = { source, target: job.target, signal: terminal.signal };
      const translated = whole
        ? await translateEmailRemotely({ service: whole, engine }, { subject, html, name }, direction)
        : await translateEmail(
            { subject, html, encodable },
            {
              ...direction,
              ...resources,
              engine,
              concurrency: options.concurrency,
              onProgress,
            },
          );
      return {
        ...translated,
        bytes: decoded.encode(writeReferences(translated.html, encodable)),
        isUntouched: translated.html === html && translated.subject === subject,
      };
    };
    const texts = 1 + PAGES.textsOf(readPage(html)).length;
    const extentOf = (): number => texts;
    const atOnce = whole?.parallelCalls;
    const work = { translate, extentOf, unit: 'texts', stopped, atOnce, print: () => undefined };
    try {
      return await runJobs(jobs, work, context);
    } catch (failure) {
      throw inInput(failure, name);
    }
  });
  return finish(result, [], report(run, result, skipped, context), output);
}

interface HtmlBody {
  readonly subject: string;
  readonly html: string;
  /** Whether a service gets it as it is. */
  readonly isWhole: boolean;
}

async function sourceOfBody(
  { source, file: { name } }: EmailRun,
  { subject, html, isWhole }: HtmlBody,
): Promise<string> {
  if (source !== undefined) return source;
  const page = readPage(html);
  const declared = PAGES.languageOf(page);
  if (isWhole) return sourceForService(undefined, declared);
  return resolveSource(undefined, [subject, ...PAGES.textsOf(page)], name, declared);
}

async function openBody({
  bytes,
  file: { name },
  options,
}: EmailRun): Promise<Awaited<ReturnType<typeof decode>>> {
  try {
    return await decode(bytes, 'html', options.encoding);
  } catch (error) {
    throw inInput(error, name);
  }
}

/** Without `-o` subjects and bodies go to standard output, with `--json` those of all languages. */
function planBodies(
  { file, targets, options }: EmailRun,
  { terminal, output }: CommandContext,
): Promise<Planned<BodyJob>> {
  if (output.json && (options.output === undefined || options.output === '-')) {
    const jobs = targets.map((target): BodyJob => ({ file, target, destination: STDOUT }));
    return Promise.resolve({ jobs, skipped: [] });
  }
  const extension = file.path === undefined ? '.html' : undefined;
  return planJobs(
    {
      files: [file],
      unreadable: [],
      targets,
      nameOf: ({ path }, target) => nameWithLanguage(path ?? 'email', target, extension),
    },
    { flags: { ...options, output: options.output ?? '-' }, cwd: terminal.cwd, prefersStandardOutput: true },
  );
}

/** Prints what was done. @returns the document of `--json` */
function report(
  { file: { name }, targets }: EmailRun,
  { done, unavailable }: TasksResult<BodyJob, Written<BodyJob, BodyResult>>,
  skipped: readonly string[],
  { output }: CommandContext,
): object {
  reportSkipped(skipped, output);
  for (const { target, failures } of done) {
    for (const { part, line, column, reason } of failures) {
      const place = part === 'subject' ? 'the subject' : `${name}:${line}:${column}:`;
      output.problem(`${place} (${target}) keeps its source text: ${reason}`);
    }
  }
  if (!output.json) printBodies(done, targets, output);
  const languageOf = (target: string): object => (targets.length > 1 ? { target } : {});
  const documents: object[] = done.map(({ target, destination, subject, html, failures }) => ({
    subject,
    html_body: html,
    ...languageOf(target),
    ...(destination !== STDOUT && { path: destination }),
    ...(failures.length > 0 && { failures }),
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
  done: readonly Written<BodyJob, BodyResult>[],
  targets: readonly string[],
  output: CommandContext['output'],
): void {
  for (const { target, destination, subject, html } of done) {
    if (destination === STDOUT) {
      output.translation(`Subject: ${subject}\n`);
      output.content(html.endsWith('\n') ? html : `${html}\n`);
    } else {
      output.translation(targets.length > 1 ? `${target}\t${subject}` : subject);
    }
  }
}
