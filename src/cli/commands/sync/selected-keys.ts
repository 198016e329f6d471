import { join } from 'node:path';
import { positionsIn } from '../../../base/span.ts';
import { knownText } from '../../../formats/registry.ts';
import { matchesKey } from '../../../project/config/glob.ts';
import { keyStatusOf } from '../../../project/plan/key-status.ts';
import { actionFor } from '../../../project/plan/key-action.ts';
import type { Survey } from '../../../project/plan/survey.ts';
import { nameOfKey } from '../../output/findings.ts';
import type { Output } from '../../output/output.ts';
import { pluralize } from '../../terminal/table.ts';

/** The maximum number of requested but kept keys that are listed. */
const MOST_NAMED = 20;

/** The result of each `--key` pattern: whether it matches any key, and which matching keys the run keeps. */
export class SelectedKeys {
  readonly #patterns: readonly string[];
  readonly #matched = new Set<string>();
  /** Messages by position, so that each is printed once although files are compared more than once. */
  readonly #kept = new Map<string, string>();

  constructor(patterns: readonly string[] = []) {
    this.#patterns = patterns;
  }

  note(root: string, survey: Survey, output: Output): void {
    const { plan, source, existing, targetPath, locale } = survey;
    const isNew = (key: readonly string[]): boolean => {
      const path = key.join('.');
      const found = this.#patterns.filter((pattern) => matchesKey(pattern, path));
      for (const pattern of found) this.#matched.add(pattern);
      return found.length > 0;
    };
    for (const { key } of plan.extra) isNew(key);
    const positionOf = positionsIn(existing?.document.text ?? '');
    const places = new Map(existing?.document.slots.map(({ key, span }) => [key.join('\0'), span.start]));
    for (const one of plan.keys) {
      if (!isNew(one.key)) continue;
      // A forced run may replace our own translations.
      if (one.blank || actionFor(one, { force: true }) !== 'keep') continue;
      const { line, column } = positionOf(places.get(one.key.join('\0')) ?? 0);
      const why =
        keyStatusOf(one) === 'unknown'
          ? 'it was in the file before the first sync'
          : 'a person wrote or changed it';
      const place = `${output.shown(join(root, targetPath))}:${line}:${column}`;
      this.#kept.set(
        place,
        `${place}: kept ${nameOfKey({ key: one.key, ...knownText(source.format, one.text) })} (${locale}): ${why}`,
      );
    }
  }

  /** @returns whether every pattern matches a key */
  report(output: Output): boolean {
    const named = [...this.#kept.values()];
    for (const sentence of named.slice(0, MOST_NAMED)) output.message(sentence);
    const others = named.length - MOST_NAMED;
    if (others > 0) output.message(`kept ${pluralize(others, 'more key')} that people wrote`);
    const missed = this.#patterns.filter((pattern) => !this.#matched.has(pattern));
    for (const pattern of missed) output.warning(`no key matches --key ${pattern}`);
    return missed.length === 0;
  }
}
