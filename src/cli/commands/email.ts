import { extname } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import type { CommandModule } from '../output/command.ts';
import { addDocumentOptions } from '../documents/options.ts';
import { documentCommand } from '../documents/document-command.ts';
import { requireTargets } from '../options/language.ts';
import { BODY } from './email/body.ts';
import type { EmailFlags } from './email/input.ts';
import { MESSAGE } from './email/message.ts';

const DETAILS = `
With --subject, FILE is an HTML body. Standard output gets "Subject: …", an empty line and the body; with -o, the body
goes to the file and standard output gets the subject. --json prints {"subject", "html_body"}.

Without --subject, FILE is a message (.eml). Its subject and its text/plain and text/html parts are translated; other
headers, attachments, inline images and attached messages are kept byte for byte. A part keeps its charset and transfer
encoding; if they cannot hold the translation, the charset becomes utf-8 and 7bit becomes quoted-printable. The result is
{name}.{lang}.eml beside the file, or the file that -o names. DKIM, ARC and other signatures are not valid for a
translation.

Local engines have no character limit; a message may have at most 64 MiB. A service gets a subject and body in one
request if they are within its limits; it gets longer ones, and messages, text by text, at 1 credit each.`;

export const email: CommandModule<EmailFlags> = {
  examples: [
    [
      'dragoman email newsletter.eml -s en -t fr,es -o out/',
      'write out/newsletter.fr.eml and out/newsletter.es.eml',
    ],
    [
      'dragoman email welcome.html --subject "Welcome to our shop" -t de --json',
      'print the German subject and body as JSON',
    ],
  ],
  details: DETAILS,
  configure(command) {
    command
      .argument('[file]', 'an .eml message, or an HTML body with --subject; default: standard input')
      .option('--subject <text>', 'the subject of an HTML body')
      .option(
        '--encoding <name>',
        'encoding of an HTML body, overriding the declared one, such as windows-1252',
      );
    addDocumentOptions(command, 'beside a message; standard output for a body');
  },

  async run(args, options, context) {
    requireTargets(options);
    if (args.length > 1) throw new DragomanError('usage', 'more than one file');
    const { subject } = options;
    const [argument = '-'] = args;
    if (subject !== undefined && extname(argument).toLowerCase() === '.eml') {
      throw new DragomanError('usage', 'an .eml message has its own subject', {
        hint: 'Leave out --subject, which is for HTML bodies.',
      });
    }
    if (subject === undefined && options.encoding !== undefined) {
      throw new DragomanError('usage', 'an .eml message declares its own charsets', {
        hint: 'Leave out --encoding, which requires --subject and an HTML body.',
      });
    }
    if (subject === undefined) return documentCommand(MESSAGE).run(args, options, context);
    // By default, a body goes to standard output.
    return documentCommand(BODY).run(args, { ...options, output: options.output ?? '-' }, context);
  },
};
