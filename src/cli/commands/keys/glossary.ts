import { resolve } from 'node:path';
import { DragomanError } from '../../../base/errors.ts';
import { readGlossary, writeGlossary, type Glossary } from '../../../pipeline/glossary.ts';
import type { CommandModule } from '../../command.ts';
import { OK } from '../../exit-code.ts';
import { addDryRunOption } from '../../options.ts';
import { addDetails, addExamples } from '../../help.ts';
import {
  addAccountOptions,
  emailOf,
  reportChange,
  withStore,
  type AccountOptions,
} from '../../keys/store.ts';
import { count } from '../../table.ts';
import type { Terminal } from '../../terminal.ts';

interface GlossaryOptions extends AccountOptions {
  readonly remove?: boolean;
}

export const glossaryCommand: CommandModule<GlossaryOptions> = {
  configure(command) {
    command.argument(
      '[file]',
      'terms with translations, .csv or .yaml; without it, says what the account has',
    );
    addAccountOptions(command);
    command.option('--remove', 'take the glossary away');
    addDryRunOption(command, 'only read the file, and print what would change');
    addExamples(command, [
      [
        'dragoman keys glossary terms.csv --email anna@example.org',
        'give the account a glossary, in place of the one that it has',
      ],
      ['dragoman keys glossary --data-dir ./data --remove --json', 'take it away from the only account'],
    ]);
    addDetails(
      command,
      `It holds for texts, documents and jobs of this account alone; its terms go before those of serve --glossary.
Servers that run use it within 5 seconds, and with the next language of a job.`,
    );
  },

  async run([file], options, context) {
    const { terminal, output } = context;
    const { remove = false, dryRun } = options;
    if (file !== undefined && remove)
      throw new DragomanError('usage', '--remove takes no file', { hint: 'Leave one of them out.' });
    const glossary = file === undefined ? undefined : await readFile(file, terminal);
    if (dryRun && (glossary || remove)) return reportChange(options, context, describeChange(glossary));
    const { email, terms } = await withStore(options, terminal, async (accounts, { resources }) => {
      const { id, email } = await accounts.require(await emailOf(options, accounts));
      if (glossary || remove) await resources.setGlossary(id, glossary && writeGlossary(glossary));
      const content = await resources.glossaryOf(id);
      return { email, terms: content === undefined ? undefined : readGlossary(content).terms.length };
    });
    if (output.json) output.document({ email, terms: terms ?? null });
    else
      output.result(
        `${email}: ${terms === undefined ? 'no glossary' : `a glossary of ${count(terms, 'term')}`}`,
      );
    return OK;
  },
};

async function readFile(file: string, { cwd }: Terminal): Promise<Glossary> {
  const { loadGlossary } = await import('../../../project/glossary/glossary.ts');
  return loadGlossary(resolve(cwd, file));
}

function describeChange(glossary: Glossary | undefined): string {
  return glossary
    ? `would get a glossary of ${count(glossary.terms.length, 'term')}`
    : 'the glossary would be removed';
}
