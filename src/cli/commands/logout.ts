import { DragomanError } from '../../base/errors.ts';
import type { CommandModule } from '../output/command.ts';
import { OK } from '../output/exit-code.ts';
import { addDryRunOption, type DryRunFlags } from '../options/dry-run.ts';
import { readCredentials, writeCredentials, type Credential } from '../options/credentials.ts';
import { isKeyFor } from '../options/service-key.ts';
import { addAddressOptions, type ServiceFlags } from '../options/service.ts';
import { requireService } from '../execution/execution-target.ts';

interface LogoutFlags extends ServiceFlags, DryRunFlags {
  readonly all?: boolean;
}

export const logout: CommandModule<LogoutFlags> = {
  examples: [
    ['dragoman logout --base-url https://translate.example.com', 'delete the key of one service'],
    ['dragoman logout --all', 'delete all of them'],
  ],
  configure(command) {
    addAddressOptions(command);
    command.option('--all', 'delete the stored keys of all services');
    addDryRunOption(command, 'only print which keys would be deleted');
  },

  async run(_args, flags, { terminal, output }) {
    const { file, entries } = await readCredentials(terminal.env);
    const remote = flags.all
      ? undefined
      : await requireService(flags, terminal, 'name the service of the key, or use --all');
    const removed = entries.filter((entry) => remote === undefined || isKeyFor(entry, remote));
    if (removed.length === 0 && remote) {
      const { profile, baseUrl } = remote;
      const name = profile ? `the profile ${profile.value}` : baseUrl.value;
      throw new DragomanError('not_found', `no key is stored for ${name}`);
    }
    if (file !== undefined && removed.length > 0 && !flags.dryRun) {
      await writeCredentials(
        file,
        entries.filter((entry) => !removed.includes(entry)),
      );
    }
    const done = flags.dryRun
      ? { dry_run: true, would_remove: removed.map(describe) }
      : { removed: removed.map(describe) };
    if (output.json) output.document(done);
    else if (removed.length === 0) output.message('no keys were stored');
    for (const entry of removed)
      output.message(
        `${flags.dryRun ? 'would delete' : 'deleted'} the key for ${entry.profile ?? entry.baseUrl}`,
      );
    return OK;
  },
};

function describe({ baseUrl, profile }: Credential): object {
  return { base_url: baseUrl, profile: profile ?? null };
}
