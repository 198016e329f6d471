import type { Node } from './node.ts';
import { pairTags } from './pairs.ts';
import type { MessageProblem } from './verify.ts';

/** Whether the same tags are there, and nested where the source's are. Attributes belong to the translator. */
export function tagProblems(source: readonly Node[], target: readonly Node[]): MessageProblem[] {
  const wanted = tagsOf(source);
  const found = tagsOf(target);
  const problems: MessageProblem[] = [];
  for (const [tag, count] of wanted) {
    if ((found.get(tag) ?? 0) < count) problems.push({ rule: 'tag-mismatch', detail: `${tag} is missing` });
  }
  for (const [tag, count] of found) {
    if (count > (wanted.get(tag) ?? 0))
      problems.push({ rule: 'tag-mismatch', detail: `${tag} is not in the source` });
  }
  if (problems.length === 0 && unpaired(target) > unpaired(source))
    problems.push({ rule: 'tag-mismatch', detail: 'tags are not nested as in the source' });
  return problems;
}

function tagsOf(nodes: readonly Node[]): Map<string, number> {
  const tags = new Map<string, number>();
  for (const node of nodes) {
    const tag = nameOf(node);
    if (tag !== undefined) tags.set(tag, (tags.get(tag) ?? 0) + 1);
  }
  return tags;
}

function nameOf(node: Node): string | undefined {
  if (node.type === 'open') return `<${node.name}>`;
  if (node.type === 'close') return `</${node.name}>`;
  if (node.type !== 'code' || node.kind !== 'tag') return undefined;
  return /^<[^\s/>]+/.exec(node.raw)?.[0] + '/>';
}

function unpaired(nodes: readonly Node[]): number {
  const tags = nodes.filter((node) => node.type === 'open' || node.type === 'close').length;
  return tags - pairTags(nodes).size;
}
