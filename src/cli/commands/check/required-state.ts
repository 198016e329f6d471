import { Option, type Command } from 'commander';
import { DragomanError } from '../../../base/errors.ts';
import type { TranslationState } from '../../../formats/format.ts';
import { compileGlob, type Glob } from '../../../project/config/glob.ts';
import type { KeysListener } from '../../../project/plan/key-list.ts';
import { reaches } from '../../../project/plan/text-state.ts';
import type { ReportedFinding, ReportedRules } from '../../output/findings.ts';
import { nameOfKey } from '../../output/findings.ts';

export interface RequireFlags {
  readonly require?: TranslationState;
  readonly in?: readonly string[];
}

/** `--require` and `--in`: the gate on reviews. */
export function addRequireOptions(command: Command): void {
  command
    .addOption(
      new Option('--require <state>', 'fail if a translation has not come as far').choices([
        'translated',
        'reviewed',
        'final',
      ]),
    )
    .addOption(
      new Option('--in <glob>', 'with --require, only in files that match (repeatable)').argParser(
        (value: string, previous?: readonly string[]) => [...(previous ?? []), value],
      ),
    );
}

export const STATE_RULES = {
  state: { severity: 'error', text: 'The translation has not come as far as --require demands.' },
} as const satisfies ReportedRules;

/** A finding with the root that its file is relative to. */
export type StateFinding = ReportedFinding & { readonly root: string; readonly locale: string };

/** The texts that have not come as far as a gate requires. Missing ones are reported as such. */
export class RequiredState {
  readonly findings: StateFinding[] = [];
  readonly #required: TranslationState | undefined;
  readonly #globs: readonly Glob[] | undefined;

  /** @throws DragomanError `usage` for `--in` alone, and for a pattern that cannot be understood */
  constructor({ require, in: patterns }: RequireFlags) {
    if (patterns && require === undefined)
      throw new DragomanError('usage', '--in limits --require, which is not given', {
        hint: 'Add --require reviewed, or name the files as arguments.',
      });
    this.#required = require;
    this.#globs = patterns?.map((pattern) => compileGlob(pattern));
  }

  /** Undefined if nothing is required: files that are clean need not be opened then. */
  listenerFor(root: string): KeysListener | undefined {
    const required = this.#required;
    if (required === undefined) return undefined;
    return ({ locale, report: { source, target }, keys }) => {
      const isIn = this.#globs?.some((glob) => glob.matches(source) || glob.matches(target)) ?? true;
      for (const { key, state, standing, targetPlace, sourcePlace } of isIn ? keys : []) {
        const isMissing = standing === 'missing' || standing === 'pending';
        if (!state || isMissing || reaches(state, required)) continue;
        const file = targetPlace ? target : source;
        const { line, column } = targetPlace ?? sourcePlace ?? { line: 1, column: 1 };
        const reason = state.needsReview === undefined ? '' : `, needs a review: ${state.needsReview}`;
        const message = `${nameOfKey({ key })} is ${state.state}, not ${required}${reason} (${locale})`;
        const { severity } = STATE_RULES.state;
        this.findings.push({ rule: 'state', severity, root, file, line, column, locale, key, message });
      }
      return Promise.resolve();
    };
  }
}
