import { describeFormat } from '../../src/formats/registry.ts';
import type { Evidence } from '../../src/frameworks/description.ts';
import { FRAMEWORKS, PLAIN } from '../../src/frameworks/registry.ts';
import { cell, code, table } from './markdown.ts';

/** The chapter on frameworks. */
export function describeFrameworks(): string {
  const rows = FRAMEWORKS.filter((framework) => framework !== PLAIN).map(
    ({ id, title, evidence, formats, isUsualFor = [], owns }) => {
      const own = owns === undefined && isUsualFor.length === 0 ? [] : ['its localization files'];
      return [
        cell(title),
        code(id),
        [...evidence.map(describeEvidence), ...own].join('; '),
        formats.map((format) => describeFormat(format).title).join(', '),
      ];
    },
  );
  return `# Frameworks

This chapter is generated from \`src/frameworks/\` by \`npm run docs\`.

A framework reads localization files when your product runs. It determines which files belong together, which of them is
the source, how messages and plurals are written, and which strings are not texts. dragoman searches the directory of
each file and the directories above it for the nearest manifest that identifies a framework with the file's format, so that
each part of a monorepo can have its own framework. Manifests are read as text, up to 256 KB, and never executed.
\`dragoman init\`, \`dragoman status --verbose\` and \`dragoman doctor\` list the recognized frameworks, and the file
that identifies each.

If no manifest identifies a framework, file names and values decide. To name the framework yourself, add \`framework: i18next\` to the [configuration](../configuration.md), for the whole project or for an entry of \`files\`.

${table(['framework', 'name in the configuration', 'shown by', 'formats'], rows)}
`;
}

/** `package.json` with `vue-i18n`. Lists only the first of many names. */
function describeEvidence({ files, names = [], within, text }: Evidence): string {
  const some = (all: readonly string[]): string => {
    const listed = all.slice(0, MOST).map(code);
    return all.length > MOST ? `${listed.join(', ')}, …` : listed.join(' or ');
  };
  const place = within === undefined ? '' : ' in its usual directory';
  const header = text === undefined ? '' : ' with its header';
  return `${some(files)}${place}${header}${names.length === 0 ? '' : ` with ${some(names)}`}`;
}

const MOST = 4;
