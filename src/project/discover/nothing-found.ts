import { DragomanError } from '../../base/errors.ts';
import { typeAt } from '../../base/file-facts.ts';
import { CODE_EXTENSIONS, extensionOf, formatOfPath } from '../../formats/registry.ts';
import { describePassedOver, type PassedOver } from './passed-over.ts';

interface Missed {
  readonly source?: string | undefined;
  readonly candidates?: readonly string[];
  readonly passedOver?: readonly PassedOver[];
  readonly nested?: readonly string[];
  readonly paths?: readonly string[];
  /** Files without a language in their path, relative to the root. */
  readonly lone?: readonly string[];
}

interface Searched {
  readonly tree: { readonly files: readonly string[] };
  readonly selects: (path: string) => boolean;
}

/** The files of tools that stand at the root of a project. */
const OF_TOOLS =
  /^\.|^(?:bower|composer|deno|lerna|manifest|mkdocs|nx|package|pnpm|renovate|tsconfig|turbo|vercel)\b|(?:[.-](?:config|lock)|rc)\.[a-z]+$/;

/** What may be the texts of a small project: files at the root that hold no program. */
export function loneFiles({ tree, selects }: Searched): readonly string[] {
  return tree.files.filter(
    (path) =>
      !path.includes('/') && !OF_TOOLS.test(path) && !CODE_EXTENSIONS.has(extensionOf(path)) && selects(path),
  );
}

/** As many kinds as a hint has room for. */
const MOST_KINDS = 5;

/** The error for a directory, or a path, in which there is nothing to translate. */
export function nothingFound(path: string, missed: Missed = {}): DragomanError {
  const { source, passedOver = [] } = missed;
  const named = source === undefined ? '' : ` in the source language ${source}`;
  const advice = adviceFor(missed);
  const seen = passedOver.slice(0, MOST_KINDS).map(describePassedOver).join('; ');
  return new DragomanError('configuration', `no localization files${named} found in ${path}`, {
    hint: seen === '' ? advice : `Found: ${seen}. ${advice}`,
  });
}

function adviceFor({ candidates = [], nested = [], paths = [], lone: files = [] }: Missed): string {
  if (candidates.length > 0)
    return `There are files in: ${candidates.slice(0, 20).join(', ')}. Name the source with --source.`;
  const lone = paths.find((path) => formatOfPath(path) !== undefined && typeAt(path) === 'file');
  if (lone !== undefined)
    return `To translate this file alone: dragoman i18n ${lone} -t LANGUAGE. To make it a part of the project, describe it under \`files\` in the configuration.`;
  if (nested.length > 0)
    return `Some directories are projects of their own: name one as the path, such as ${nested.slice(0, 20).join(', ')}.`;
  const [only, ...more] = files;
  if (only !== undefined && more.length === 0)
    return `${only} has no language in its path. To translate this file alone: dragoman i18n ${only} -t LANGUAGE. To translate it with sync, move it to a path such as locales/en/${only}, or describe it under \`files\` in the configuration.`;
  return 'Expected are layouts such as locales/en.json, locales/en/*.json, res/values/strings.xml, en.lproj/*.strings, Localizable.xcstrings, po/*.pot, messages.properties; other ones are described under `files` in the configuration.';
}
