import type { Span } from '../base/span.ts';
import { type MessageNode } from './node.ts';
import { isPlain, parseValue } from './parse.ts';
import type { Syntax } from './syntax.ts';

/**
 * Where a value is syntax rather than words: placeholders, tags, escapes, and of ICU arguments what stands around their
 * branches. In order, disjoint, none side by side with the next. A value that cannot be read is all words.
 */
export function findSyntax(value: string, syntax: Syntax): readonly Span[] {
  if (isPlain(value, syntax)) return [];
  const collector = new SpanCollector();
  for (const { separator, nodes } of parseValue(value, syntax).parts) {
    collector.skip(separator.length, true);
    collect(nodes, collector);
  }
  return collector.spans;
}

function collect(nodes: readonly MessageNode[], collector: SpanCollector): void {
  for (const node of nodes) {
    if (node.type !== 'complex') {
      collector.skip(node.raw.length, node.type !== 'text');
      continue;
    }
    collector.skip(node.head.length, true);
    for (const { lead, selector, gap, body } of node.branches) {
      collector.skip(lead.length + selector.length + gap.length + 1, true);
      collect(body, collector);
      collector.skip(1, true);
    }
    collector.skip(node.tail.length, true);
  }
}

class SpanCollector {
  readonly spans: { start: number; end: number }[] = [];
  #at = 0;

  skip(length: number, isSyntax: boolean): void {
    const start = this.#at;
    this.#at += length;
    if (!isSyntax || length === 0) return;
    const last = this.spans.at(-1);
    if (last?.end === start) last.end = this.#at;
    else this.spans.push({ start, end: this.#at });
  }
}
