import { DragomanError } from '../../../base/errors.ts';
import { MAX_EMAIL_BODY, MAX_TEXT } from '../../../contract/limits.ts';
import { translateEmail, type TranslatedEmail } from '../../../documents/message/translate-email.ts';
import { countTextNodes, PAGES, writeReferences } from '../../../documents/page/translate-page.ts';
import { decode, type Decoded } from '../../../formats/encoding.ts';
import { readPage } from '../../../formats/html/page.ts';
import { nameWithLanguage, STDOUT } from '../../documents/destinations.ts';
import { type DocumentKindCommand, openInputs } from '../../documents/document-command.ts';
import { unavailableDocument } from '../../documents/open-each.ts';
import { fits, translateEmailRemotely } from '../../documents/remote-documents.ts';
import type { NamedFile } from '../../documents/run.ts';
import { resolveSource, sourceForService } from '../../documents/source-language.ts';
import { refuseResources } from '../../execution/translation-resources.ts';
import { requireTargets, sourceOf } from '../../options/language.ts';
import { type EmailFlags, INPUT } from './input.ts';

interface OpenBody extends NamedFile {
  readonly subject: string;
  readonly html: string;
  readonly decoded: Decoded;
}

interface BodyResult extends TranslatedEmail {
  readonly bytes: Uint8Array;
  readonly isUntouched: boolean;
}

/** A subject and an HTML body (specification: `POST /v2/translate/email`). */
export const BODY: DocumentKindCommand<OpenBody, EmailFlags, BodyResult> = {
  targetsOf: requireTargets,

  open: openInputs({
    ...INPUT,
    async open(file, read, { flags: { subject = '', encoding } }) {
      const decoded = await decode(await read(), 'html', encoding);
      if (subject === '') throw new DragomanError('usage', 'the subject is empty');
      if (decoded.text === '') throw new DragomanError('usage', 'the body is empty');
      return { ...file, subject, html: decoded.text, decoded };
    },
  }),

  place: (_, { flags, context }) => ({
    nameOf: ({ path }, target) =>
      nameWithLanguage(path ?? 'email', target, path === undefined ? '.html' : undefined),
    prefersStandardOutput: true,
    isJoined: context.output.json && flags.output === '-',
  }),

  textsOf,
  chargeOf: (body) => (isWithinLimits(body) ? 1 + countTextNodes(body.html) : undefined),
  extentOf: (body) => textsOf(body).length,
  unit: 'texts',

  atOnce(service, jobs, flags) {
    if (!jobs.every(({ file }) => isWithinLimits(file))) return 1;
    refuseResources(flags);
    return service.parallelCalls;
  },

  async translate({ file }, { segments, service }, { flags }) {
    const { subject, html, name, decoded } = file;
    const { engine, target, signal } = segments;
    const encodable = (text: string): boolean => decoded.encodable(text);
    const declared = PAGES.languageOf(readPage(html));
    const named = sourceOf(flags);
    const translated =
      service && isWithinLimits(file)
        ? await translateEmailRemotely({ service, engine }, file, {
            source: sourceForService(named, declared),
            target,
            signal,
          })
        : await translateEmail(
            { subject, html, encodable },
            { ...segments, source: await resolveSource(named, textsOf(file), name, declared) },
          );
    return {
      ...translated,
      bytes: decoded.encode(writeReferences(translated.html, encodable)),
      isUntouched: translated.html === html && translated.subject === subject,
    };
  },

  printContent({ subject, html }, output) {
    output.translation(`Subject: ${subject}\n`);
    output.content(html.endsWith('\n') ? html : `${html}\n`);
  },
  printWritten: ({ target, subject }, output, jobs) =>
    output.translation(jobs.length > 1 ? `${target}\t${subject}` : subject),

  print({ file, target, failures }, output) {
    for (const { part, line, column, reason } of failures) {
      const place = part === 'subject' ? 'the subject' : `${file.name}:${line}:${column}:`;
      output.problem(`${place} (${target}) keeps its source text: ${reason}`);
    }
  },

  describe: () => ({}),
  document(_, { done, unavailable }, { targets }) {
    const languageOf = (target: string): object => (targets.length > 1 ? { target } : {});
    const documents: object[] = [
      ...done.map(({ target, destination, subject, html, failures }) => ({
        subject,
        html_body: html,
        ...languageOf(target),
        ...(destination !== STDOUT && { path: destination }),
        ...(failures.length > 0 && { failures }),
      })),
      ...unavailable.map(({ item: { target }, error }) => ({
        subject: null,
        html_body: null,
        ...languageOf(target),
        ...unavailableDocument(error),
      })),
    ];
    return (targets.length === 1 && documents[0]) || { translations: documents };
  },
};

function textsOf({ subject, html }: OpenBody): readonly string[] {
  return [subject, ...PAGES.textsOf(readPage(html))];
}

/** Whether a service accepts the e-mail in one request. */
function isWithinLimits({ subject, html }: OpenBody): boolean {
  return fits(subject, MAX_TEXT) && fits(html, MAX_EMAIL_BODY);
}
