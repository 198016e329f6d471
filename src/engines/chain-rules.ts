import { DragomanError } from '../base/errors.ts';
import { languageOf, parseLocale, sameLanguage } from '../languages/locale.ts';

/** Engines by pair: `en-de`, `en-*`, `*-de` or `*`, each with a list of ids in order of preference. */
export type ChainRules = Readonly<Record<string, readonly string[]>>;

interface Rule {
  /** Canonical, or `*`. */
  readonly source: string;
  readonly target: string;
  readonly engines: readonly string[];
}

/** @throws DragomanError `configuration` for an invalid pair, or an engine listed twice */
export function readChains(rules: ChainRules): Chains {
  return new Chains(
    Object.entries(rules).map(([pair, engines]) => {
      const twice = engines.find((id, i) => engines.indexOf(id) !== i);
      if (engines.length > 0 && twice === undefined) return { ...readPair(pair), engines };
      const problem = twice === undefined ? 'no engine' : `the engine ${twice} twice`;
      throw new DragomanError('configuration', `the list for ${pair} names ${problem}`);
    }),
  );
}

/** Validated rules. */
export class Chains {
  readonly #rules: readonly Rule[];

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
  }

  /** The lists without their first engines; undefined if all are empty. */
  get rest(): Chains | undefined {
    const rules = this.#rules.map((rule) => ({ ...rule, engines: rule.engines.slice(1) }));
    return rules.some(({ engines }) => engines.length > 0) ? new Chains(rules) : undefined;
  }

  /** Every listed engine, once. */
  get engines(): readonly string[] {
    return [...new Set(this.#rules.flatMap(({ engines }) => engines))];
  }

  /** Identifies the results of a run, which depend on the engines. */
  get name(): string {
    const [only] = this.#rules;
    if (only && this.#rules.length === 1 && only.source === '*' && only.target === '*') {
      return only.engines.join(',');
    }
    return this.#rules
      .map(({ source, target, engines }) => `${source}-${target}:${engines.join(',')}`)
      .sort()
      .join(';');
  }

  /** The list of the most specific rule for the pair: `en-*` before `*-de` before `*`. */
  enginesFor(source: string, target: string): readonly string[] {
    for (const from of [...fallbackCodes(source), '*']) {
      for (const to of [...fallbackCodes(target), '*']) {
        const rule = this.#rules.find((candidate) => candidate.source === from && candidate.target === to);
        if (rule) return rule.engines;
      }
    }
    return [];
  }
}

/** If the source has a region or script, `>` separates it from the target: `pt-BR>en`. */
function readPair(pair: string): { readonly source: string; readonly target: string } {
  if (pair === '*') return { source: '*', target: '*' };
  const [, source = '', target = ''] = /^([^>]+)>([^>]+)$/.exec(pair) ?? /^([^-_]+)-(.+)$/.exec(pair) ?? [];
  const from = codeOf(source.trim());
  const to = codeOf(target.trim());
  if (from !== undefined && to !== undefined) return { source: from, target: to };
  throw new DragomanError('configuration', `${JSON.stringify(pair)} is not a language pair`, {
    hint: 'Expected a form such as en-de, en-pt-BR, pt-BR>en, en-*, *-de or *.',
  });
}

function codeOf(text: string): string | undefined {
  return text === '*' ? text : parseLocale(text);
}

/**
 * A code and its fallbacks: `fr-CA` → `fr`, `pt-BR` → `pt`, `en-US` → `en`. A code that implies another script has no
 * fallback: `zh-TW` is not written like `zh`, nor `sr-Latn` like `sr`.
 */
export function fallbackCodes(code: string): readonly string[] {
  const language = languageOf(code);
  return language !== code && sameLanguage(code, language) ? [code, language] : [code];
}
