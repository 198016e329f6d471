import { DragomanError } from '../../base/errors.ts';
import type { CommandContext, CommandModule } from '../output/command.ts';
import { addDryRunOption, type DryRunFlags } from '../options/dry-run.ts';
import { ask, readStandardBytes } from '../terminal/input.ts';
import { readCredentials, writeCredentials } from '../options/credentials.ts';
import { checkKey, isKeyFor, refusedKey } from '../options/service-key.ts';
import { addAddressOptions, type ServiceFlags } from '../options/service.ts';
import { requireService } from '../execution/execution-target.ts';
import { withRemote } from '../execution/remote.ts';
import type { RemoteSettings } from '../options/service-settings.ts';

interface LoginFlags extends ServiceFlags, DryRunFlags {
  readonly verify?: boolean;
  readonly input?: boolean;
}

const DETAILS = `
The key is read from standard input, or typed on a terminal, which does not show it. It is stored in credentials.json in
your configuration directory, readable only by you, and is sent only to the address for which it was stored.`;

export const login: CommandModule<LoginFlags> = {
  examples: [
    ['dragoman login --base-url https://translate.example.com', 'ask for the key and store it'],
    ['dragoman login --profile staging --base-url https://staging.example.com < key.txt', 'under a name'],
  ],
  details: DETAILS,
  configure(command) {
    addAddressOptions(command);
    command.option('--no-verify', 'store the key without checking it with the service');
    addDryRunOption(command, 'only check the key');
  },

  async run(_args, flags, context) {
    const { terminal, output } = context;
    const remote = await requireService(flags, terminal, 'each key belongs to a service');
    const { file, entries } = await readCredentials(terminal.env);
    if (file === undefined) {
      throw new DragomanError('configuration', 'there is no home directory to store a key in', {
        hint: 'Set XDG_CONFIG_HOME, or use DRAGOMAN_API_KEY.',
      });
    }
    const key = await readKey(remote, flags, context);
    output.conceal(key);
    const owner = flags.verify === false ? undefined : await verify(key, remote, flags, context);
    const { baseUrl, profile } = remote;
    const others = entries.filter((entry) => !isKeyFor(entry, remote));
    const entry = { baseUrl: baseUrl.value, ...(profile && { profile: profile.value }), key };
    if (!flags.dryRun) await writeCredentials(file, [...others, entry]);
    const document = {
      base_url: baseUrl.value,
      profile: profile?.value ?? null,
      file,
      email: owner ?? null,
      ...(flags.dryRun && { dry_run: true }),
    };
    return output.answer(document, () => {
      const whose = owner === undefined ? '' : ` of ${owner}`;
      const what = `the key${whose} for ${baseUrl.value} in ${file}`;
      output.message(flags.dryRun ? `would store ${what}` : `stored ${what}`);
      if (!flags.dryRun) output.message(howToUse(remote));
    });
  },
};

async function readKey(
  remote: RemoteSettings,
  { input }: LoginFlags,
  { terminal }: CommandContext,
): Promise<string> {
  if (terminal.stdin.isTTY === true) {
    if (input === false) {
      throw new DragomanError('usage', 'no key', { hint: 'Pipe it in: dragoman login < key.txt' });
    }
    const text = `Key for ${remote.baseUrl.value} (it is not shown): `;
    return checkKey((await ask(terminal, { text, echo: false })).trim(), 'the prompt');
  }
  // At a prompt the user sees where the key goes; a script must name the address itself.
  if (!remote.isUsers) throw refusedKey(remote, 'standard input');
  const bytes = await readStandardBytes(terminal);
  return checkKey(
    Buffer.from(bytes)
      .toString()
      .replace(/^\ufeff/, '')
      .trim(),
    'standard input',
  );
}

/**
 * The owner of the key; undefined if version 1 of the API does not report it.
 *
 * @throws DragomanError `unauthenticated`
 */
async function verify(
  key: string,
  remote: RemoteSettings,
  flags: LoginFlags,
  context: CommandContext,
): Promise<string | undefined> {
  const { signal } = context.terminal;
  return withRemote(
    remote,
    flags,
    context,
    async ({ service }) => {
      if (remote.api?.value !== 'v1') return (await service.accountSummary({ signal })).email;
      await service.supportedLanguages({ signal });
      return undefined;
    },
    { key },
  );
}

function howToUse({ baseUrl, profile }: RemoteSettings): string {
  return profile
    ? `use it with --profile ${profile.value}, DRAGOMAN_PROFILE or \`service\` in the configuration`
    : `use it with --base-url ${baseUrl.value}, DRAGOMAN_BASE_URL or \`service\` in the configuration`;
}
