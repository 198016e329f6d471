import { mayHaveComplex } from './complex.ts';
import { grammarOf } from './grammar.ts';
import { parseComplex, parseIcu } from './icu.ts';
import { joinLinks } from './join.ts';
import { TOP, type MessageNode, type MessagePart } from './node.ts';
import { scanQuoted } from './quotes.ts';
import { scanText, type ScanFindings } from './scan.ts';
import { splitBranches } from './bars.ts';
import { openVoidTags } from './pairs.ts';
import type { Syntax } from './syntax.ts';

export interface Parsed {
  readonly parts: readonly MessagePart[];
  /** How the words of the value are written. */
  readonly quoting: Quoting;
  readonly problem?: string;
}

/** Which rules of apostrophes hold outside branches. */
export type Quoting = 'none' | 'icu' | 'java';

/** Whether a value is nothing but words. The cheap first question: most values are. */
export function isPlain(value: string, syntax: Syntax): boolean {
  return !grammarOf(syntax).special.test(value);
}

/** Reads a value. Never throws: what cannot be read has a problem and is one text. */
export function parseValue(value: string, syntax: Syntax): Parsed {
  return isPlain(value, syntax)
    ? plain(value, syntax === 'icu' ? 'icu' : 'none')
    : parseSpecial(value, syntax);
}

/** As {@link parseValue}, for a value that is known not to be plain. */
export function parseSpecial(value: string, syntax: Syntax): Parsed {
  const grammar = grammarOf(syntax);
  if (syntax === 'icu' || (syntax === 'plain' && mayHaveComplex(value))) {
    const parsed = parseIcu(value, syntax);
    if ('nodes' in parsed) return single(parsed.nodes, 'icu');
    if (syntax === 'icu') return broken(value, parsed.problem);
  }
  const nodes: MessageNode[] = [];
  const findings: ScanFindings = { value };
  const readComplex = (source: string): ReturnType<typeof parseComplex> => parseComplex(source, syntax);
  const quoting = syntax === 'java' && hasArguments(value) ? 'java' : 'none';
  if (quoting === 'java') scanQuoted(value, grammar, TOP, nodes, findings, readComplex);
  else scanText(value, grammar, nodes, findings, readComplex);
  if (findings.problem !== undefined) return broken(value, findings.problem);
  const joined = openVoidTags(joinLinks(nodes));
  if (syntax !== 'vue' && syntax !== 'laravel') return single(joined, quoting);
  return { parts: splitBranches(joined), quoting };
}

function plain(value: string, quoting: Quoting): Parsed {
  return single(value === '' ? [] : [{ type: 'text', raw: value, text: value }], quoting);
}

function single(nodes: readonly MessageNode[], quoting: Quoting): Parsed {
  return { parts: [{ separator: '', nodes }], quoting };
}

function broken(value: string, problem: string): Parsed {
  return { ...single([{ type: 'text', raw: value, text: value }], 'none'), problem };
}

/** java.text.MessageFormat is used for values with arguments; others are shown as they are, apostrophes included. */
function hasArguments(value: string): boolean {
  return /\{\s*\w+\s*[,}]/.test(value);
}
