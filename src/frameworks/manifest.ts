import { fieldOf, isObject } from '../base/json.ts';
import { withoutComments } from './comments.ts';

/**
 * A file that declares a project's dependencies. It is read as text, because some manifests are programs from the
 * checkout.
 */
export interface Manifest {
  /** The path, relative to the root. */
  readonly path: string;
  /** The beginning of the file: see {@link MANIFEST_LIMIT}. */
  readonly text: string;
  /** The names in it, including dependencies. */
  readonly names: ReadonlySet<string>;
  /** The packages on which a package depends; empty for other manifests. */
  readonly dependencies: ReadonlySet<string>;
  /** The package's own name, which its dependents use. */
  readonly own: string | undefined;
}

/** The longest manifest that is read, in bytes. */
export const MANIFEST_LIMIT = 1 << 18;

export function readManifest(path: string, text: string): Manifest {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const members = DEPENDENCIES.get(name);
  return members
    ? { path, text, ...readPackage(text, members) }
    : { path, text, names: wordsIn(text), dependencies: new Set(), own: undefined };
}

/** The file names of a program or configuration in JavaScript or TypeScript: `lingui.config.ts`. */
export function scriptsNamed(...names: readonly string[]): readonly string[] {
  return names.flatMap((name) =>
    ['js', 'ts', 'mjs', 'mts', 'cjs', 'cts'].map((extension) => `${name}.${extension}`),
  );
}

/** Manifests of package managers that belong to the project itself: those of installed packages are elsewhere. */
export const PACKAGE_MANIFESTS: ReadonlySet<string> = new Set([
  'package.json',
  'composer.json',
  'Cargo.toml',
  'go.mod',
  'pubspec.yaml',
  'pyproject.toml',
]);

/** Manifests of packages in JSON, with the members that list dependencies. */
const DEPENDENCIES: ReadonlyMap<string, readonly string[]> = new Map([
  ['package.json', ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']],
  ['composer.json', ['require', 'require-dev']],
]);

/** The dependencies, and the manifest's own name and type. */
function readPackage(text: string, members: readonly string[]): Omit<Manifest, 'path' | 'text'> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { names: new Set(), dependencies: new Set(), own: undefined };
  }
  const name = fieldOf(value, 'name');
  const own = ['name', 'type'].flatMap((name) => {
    const field = fieldOf(value, name);
    return typeof field === 'string' ? field : [];
  });
  const dependencies = new Set(
    members.flatMap((member) => {
      const list = fieldOf(value, member);
      return isObject(list) ? Object.keys(list) : [];
    }),
  );
  return {
    names: new Set([...own, ...dependencies]),
    dependencies,
    own: typeof name === 'string' ? name : undefined,
  };
}

const COMMENT = /<!--|\/\*|(?<=^|\s)(?:#|\/\/|--|;).*$/gm;

/** Words that may be names in TOML, YAML, XML, Ruby, Gradle and others. Comments are removed beforehand. */
const WORD = /@?\w+(?:[.@/+-]+\w+)*/g;

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(withoutComments(text, COMMENT).match(WORD));
}
