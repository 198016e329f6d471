import { DragomanError } from '../../../base/errors.ts';
import { positionsIn } from '../../../base/span.ts';
import { openEmailBytes } from '../../../documents/message/open-email.ts';
import { MESSAGES, type TranslatedMessage } from '../../../documents/message/translate-message.ts';
import { signaturesOf, type Email } from '../../../formats/email/email.ts';
import { nameWithLanguage, STDOUT } from '../../documents/destinations.ts';
import { type DocumentKindCommand, openInputs } from '../../documents/document-command.ts';
import { printFailures } from '../../documents/open-each.ts';
import type { NamedFile } from '../../documents/run.ts';
import { sourceOfDocument } from '../../documents/source-language.ts';
import { requireTargets, sourceOf } from '../../options/language.ts';
import { type EmailFlags, INPUT } from './input.ts';

interface OpenMessage extends NamedFile {
  readonly email: Email;
}

interface MessageResult extends Omit<TranslatedMessage, 'email'> {
  readonly isUntouched: boolean;
  readonly subject: string | undefined;
}

/** A message file: RFC 5322 with MIME. */
export const MESSAGE: DocumentKindCommand<OpenMessage, EmailFlags, MessageResult> = {
  targetsOf: requireTargets,

  open: openInputs({
    ...INPUT,
    open: async (file, read) => ({ ...file, email: openEmailBytes(await read(), file.name) }),
  }),

  place: ([file]) => ({
    nameOf: ({ path }, target) => nameWithLanguage(path ?? 'email.eml', target),
    prefersStandardOutput: file?.path === undefined,
  }),

  check(jobs, { context: { output } }) {
    if (output.json && jobs.some(({ destination }) => destination === STDOUT)) {
      throw new DragomanError('usage', 'with --json, the message cannot also go to standard output', {
        hint: 'Name a file or a directory with -o.',
      });
    }
    for (const { name, email } of new Set(jobs.map(({ file }) => file))) {
      const positionOf = positionsIn(email.text);
      for (const { offset, message } of email.warnings) {
        const { line, column } = positionOf(offset);
        output.warning(message, `${name}:${line}:${column}`);
      }
      for (const signature of signaturesOf(email))
        output.warning(`the ${signature} signature is not valid for the translation`, name);
    }
  },

  textsOf: ({ email }) => MESSAGES.textsOf(email),
  extentOf: ({ email }) => MESSAGES.textsOf(email).length,
  unit: 'texts',

  async translate({ file: { name, email } }, { segments }, { flags }) {
    const source = await sourceOfDocument(MESSAGES, email, { named: sourceOf(flags), what: name });
    const { email: message, ...translated } = await MESSAGES.translate(email, { ...segments, source });
    return { ...translated, subject: message.subject?.value, isUntouched: message.text === email.text };
  },

  print: printFailures,
  describe: ({ file, size, subject, texts, failures }) => ({
    source: file.name,
    file_size: size,
    subject: subject ?? null,
    texts,
    failed_texts: failures.length,
    failures,
  }),
  describeUnavailable: ({ file }) => ({ source: file.name }),
};
