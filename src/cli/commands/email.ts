import { extname, resolve } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { readInput } from '../../documents/localization/open-file.ts';
import type { CommandContext, CommandModule } from '../output/command.ts';
import { addDetails, addExamples } from '../output/help.ts';
import { addDocumentOptions } from '../documents/options.ts';
import { runBody } from './email/body.ts';
import { runMessage } from './email/message.ts';
import type { EmailOptions, EmailRun } from './email/run.ts';
import { readStandardBytes } from '../terminal/input.ts';
import { requireTargets, sourceOf } from '../options/language.ts';

const DETAILS = `
With --subject, FILE is an HTML body. Standard output gets "Subject: …", an empty line and the body; with -o, the body
goes to the file and standard output gets the subject. --json prints {"subject", "html_body"}.

Without --subject, FILE is a message (.eml). Its subject and its text/plain and text/html parts are translated; other
headers, attachments, inline images and attached messages stay byte for byte. A part keeps its charset and transfer
encoding; if they cannot hold the translation, the charset becomes utf-8 and 7bit becomes quoted-printable. The result is
{name}.{lang}.eml beside the file, or the file that -o names. DKIM, ARC and other signatures are not valid for a
translation.

Local engines have no limit of characters; a message has at most 64 MiB. A service gets subject and body in one request
if they are within its limits, and longer ones and messages text by text, at 1 credit each.`;

export const email: CommandModule<EmailOptions> = {
  configure(command) {
    command
      .argument('[file]', 'an .eml message, or an HTML body with --subject; default: standard input')
      .option('--subject <text>', 'the subject that goes with an HTML body')
      .option(
        '--encoding <name>',
        'the encoding of an HTML body, overriding what it declares, such as windows-1252',
      );
    addDocumentOptions(command, 'beside a message; standard output for a body');
    addDetails(command, DETAILS);
    addExamples(command, [
      [
        'dragoman email newsletter.eml -s en -t fr,es -o out/',
        'write out/newsletter.fr.eml and out/newsletter.es.eml',
      ],
      [
        'dragoman email welcome.html --subject "Welcome to our shop" -t de --json',
        'print the German subject and body as JSON',
      ],
    ]);
  },

  async run(args, options, context) {
    const targets = requireTargets(options);
    const source = sourceOf(options);
    if (args.length > 1) throw new DragomanError('usage', 'more than one file');
    const { subject } = options;
    const [argument = '-'] = args;
    if (subject !== undefined && extname(argument).toLowerCase() === '.eml') {
      throw new DragomanError('usage', 'an .eml message has its own subject', {
        hint: 'Leave --subject out; it goes with an HTML body.',
      });
    }
    if (subject === undefined && options.encoding !== undefined) {
      throw new DragomanError('usage', 'a message names the charset of each of its texts', {
        hint: 'Leave --encoding out; it goes with --subject and an HTML body.',
      });
    }
    const run: EmailRun = { ...(await read(argument, args, context)), source, targets, options };
    return subject === undefined ? runMessage(run, context) : runBody(run, subject, context);
  },
};

async function read(
  argument: string,
  args: readonly string[],
  { terminal }: CommandContext,
): Promise<Pick<EmailRun, 'file' | 'bytes'>> {
  if (argument !== '-') {
    const path = resolve(terminal.cwd, argument);
    return { file: { name: path, path }, bytes: await readInput(path) };
  }
  if (args.length === 0 && terminal.stdin.isTTY) {
    throw new DragomanError('usage', 'no message', { hint: 'Name a file, or pipe one in.' });
  }
  return { file: { name: 'standard input', path: undefined }, bytes: await readStandardBytes(terminal) };
}
