import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { tsPlugin } from '@sveltejs/acorn-typescript';
import { type AnyNode, type Comment, Parser } from 'acorn';

const ROOT = join(import.meta.dirname, '../..');
const ENTRY = join(ROOT, 'src/index.ts');

const TypeScriptParser = Parser.extend(tsPlugin());

/** A module with its comments. */
interface Source {
  readonly file: string;
  readonly text: string;
  readonly body: readonly AnyNode[];
  readonly comments: readonly Comment[];
}

/** Declarations exported together, below one comment. */
interface Section {
  readonly title: string;
  readonly exports: string[];
}

/** The chapter on the library: the exports of `src/index.ts`, with the comments and types of their declarations. */
export function describeLibrary(): string {
  const sections = sectionsOf(read(ENTRY)).map(({ title, exports }) =>
    [`## ${title}`, ...exports].join('\n\n'),
  );
  return `# Library reference

\`npm run docs\` generates this chapter from the types that \`src/index.ts\` exports. [Library](../library.md) shows
how they work together.

${sections.join('\n\n')}
`;
}

function read(file: string): Source {
  const text = readFileSync(file, 'utf8');
  const comments: Comment[] = [];
  const { body } = TypeScriptParser.parse(text, {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
    onComment: comments,
  });
  return { file, text, body, comments };
}

/** The comment that ends right before a place. */
function commentBefore({ text, comments }: Source, start: number): Comment | undefined {
  return comments.findLast(({ end }) => end <= start && text.slice(end, start).trim() === '');
}

function sectionsOf(entry: Source): readonly Section[] {
  const sections: Section[] = [];
  for (const node of entry.body) {
    if (node.type !== 'ExportNamedDeclaration' || typeof node.source?.value !== 'string')
      throw new Error(`src/index.ts: export by name instead of ${entry.text.slice(node.start, node.end)}`);
    const comment = commentBefore(entry, node.start);
    if (comment?.type === 'Line')
      sections.push({ title: comment.value.trim().replace(/\.$/, ''), exports: [] });
    const source = read(join(dirname(ENTRY), node.source.value));
    for (const { local } of node.specifiers)
      if (local.type === 'Identifier') sections.at(-1)?.exports.push(describe(source, local.name));
  }
  return sections;
}

function describe(source: Source, name: string): string {
  const exported = source.body.find((node) => declaredNames(node).includes(name));
  if (!exported) throw new Error(`${relative(ROOT, source.file)} does not declare ${name}`);
  const comment = commentBefore(source, exported.start);
  const words =
    comment?.type === 'Block' && comment.value.startsWith('*') ? proseOf(comment.value.slice(1)) : '';
  const code = `\`\`\`ts\n${declarationOf(exported, source.text)}\n\`\`\``;
  return [`### ${name}`, words, code].filter((part) => part !== '').join('\n\n');
}

function declaredNames(node: AnyNode): readonly string[] {
  if (node.type !== 'ExportNamedDeclaration' || !node.declaration) return [];
  const { declaration } = node;
  if (declaration.type === 'VariableDeclaration')
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
  return [declaration.id.name];
}

/** The text of a comment, its tags as sentences. */
function proseOf(comment: string): string {
  return comment
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .join('\n')
    .trim()
    .replaceAll(/\{@link (\w+)\}/g, '`$1`')
    .replaceAll(/^@param (\S+)/gm, '\n`$1`:')
    .replaceAll(/^@returns/gm, '\nReturns')
    .replaceAll(/@throws DragomanError/g, '\nThrows `DragomanError`:')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replaceAll(/<(?=[a-z/])/gi, '\\<')
    .trim();
}

/** Omits function bodies and private members. */
function declarationOf(node: AnyNode, text: string): string {
  const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : undefined;
  if (declaration?.type === 'FunctionDeclaration')
    return `${text.slice(node.start, declaration.body.start).trimEnd()};`;
  if (declaration?.type !== 'ClassDeclaration') return text.slice(node.start, node.end);
  const members = declaration.body.body.flatMap((member): readonly string[] => {
    if (member.type === 'StaticBlock' || member.key.type === 'PrivateIdentifier') return [];
    const end = member.type === 'MethodDefinition' ? member.value.body.start : member.end;
    return [`  ${text.slice(member.start, end).trimEnd().replace(/;?$/, ';')}`];
  });
  return `${text.slice(node.start, declaration.body.start)}{\n${members.join('\n')}\n}`;
}
