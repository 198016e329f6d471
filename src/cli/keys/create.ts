import { InvalidArgumentError, Option } from 'commander';
import { DragomanError } from '../../base/errors.ts';
import type { CommandModule } from '../command.ts';
import { addDataDirectoryOption, type DataDirectoryOptions } from '../data-directory.ts';
import { addExamples } from '../examples.ts';
import { OK } from '../exit-code.ts';
import { noteKey } from './key-note.ts';
import { withNewStore } from './store.ts';

interface Options extends DataDirectoryOptions {
  readonly email: string;
  readonly name?: string;
  readonly credits: number;
}

/** RFC 5321: no address is longer. */
const MAX_EMAIL = 254;
const MAX_NAME = 200;

export const create: CommandModule<Options> = {
  configure(command) {
    command
      .requiredOption('--email <address>', 'whose account it is: one account per address')
      .option('--name <name>', "the holder's full name; default: the address")
      .addOption(new Option('--credits <n>', 'credits to begin with').argParser(credits).default(0, '0'));
    addDataDirectoryOption(command);
    addExamples(command, [
      [
        'dragoman keys create --email anna@example.org --name "Anna Schmidt" --credits 1000',
        'make an account and print its key',
      ],
      [
        'export DRAGOMAN_API_KEY=$(dragoman keys create --data-dir ./data --email ci@example.org)',
        'keep the key for the commands that follow',
      ],
    ]);
  },

  async run(_args, options, { terminal, output }) {
    const email = checkEmail(options.email);
    const fullName = checkName(options.name ?? email);
    const { credits } = options;
    const { key } = await withNewStore(options, terminal, (accounts) =>
      accounts.create({ email, fullName, credits }),
    );
    if (output.json) {
      output.document({ key, email, credits });
    } else {
      output.result(key);
      noteKey(output);
    }
    return OK;
  },
};

/** Commander's parser of a number of credits. */
export function credits(text: string): number {
  const amount = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(amount)) return amount;
  throw new InvalidArgumentError('It takes a whole number of credits.');
}

function checkEmail(email: string): string {
  if (email.length <= MAX_EMAIL && /^[^\s@]+@[^\s@]+$/.test(email) && !hasControls(email)) return email;
  throw new DragomanError('usage', '--email takes an e-mail address', {
    hint: 'For example: --email anna@example.org',
  });
}

function checkName(name: string): string {
  if (name.trim() !== '' && name.length <= MAX_NAME && !hasControls(name)) return name;
  throw new DragomanError('usage', `--name takes a name of 1 to ${MAX_NAME} characters`);
}

function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
