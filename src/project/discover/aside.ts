import { parseLocale } from '../../languages/locale.ts';
import { isLanguageHolder } from './path-language.ts';

/** Why the files below a directory are not the project's own localization. */
export type AsideReason = 'test_directory' | 'build_output' | 'vendored' | 'export';

/** Installed packages: they may hold millions of files, and none of them is the project's. */
const DEPENDENCIES = new Set([
  'node_modules',
  'bower_components',
  'jspm_packages',
  'Pods',
  'Carthage',
  '__pycache__',
  'site-packages',
  'venv',
]);

const BUILD = new Set(['build', 'dist', 'out', 'target', 'bin', 'obj', 'coverage', 'DerivedData']);

const VENDORED = /^(?:vendor|third[-_]party)$|\.(?:xc)?framework$/;

const TEST =
  /^_*(?:(?:ui)?tests?|specs?|e2e|fixtures?|mocks?|snapshots?|test[-_]?(?:data|fixtures|resources|suites?))_*$|[-_.]tests?$/i;
/** `androidTest`, `testDebug`, `PlannerTests`; no `latest`, no `testimonials`. */
const CAMEL_CASE_TEST = /[a-z\d](?:UI)?Tests?$|^(?:androidT|t)est[A-Z]/;

const EXPORT = /\.(?:xcloc|xcarchive)$/;

/** Whether a directory of this name holds installed packages, which are not even counted. */
export function isDependency(name: string): boolean {
  return DEPENDENCIES.has(name);
}

/**
 * Why a directory is passed over; undefined: it is not.
 *
 * @param parent its path with slashes at the ends of its segments, or empty. Inside the directory of a language a name
 * is a namespace: `locales/en/tests` has the texts of a page about tests.
 */
export function asideReasonOf(name: string, parent: string): AsideReason | undefined {
  const reason = reasonOf(name);
  // Laravel's `lang/vendor` has the project's own translations of packages.
  if (reason === 'vendored' && isLanguageHolder(/([^/]+)\/?$/.exec(parent)?.[1] ?? '')) return undefined;
  return reason === undefined || isInsideLanguage(parent) ? undefined : reason;
}

function reasonOf(name: string): AsideReason | undefined {
  if (BUILD.has(name)) return 'build_output';
  if (VENDORED.test(name)) return 'vendored';
  if (EXPORT.test(name)) return 'export';
  return TEST.test(name) || CAMEL_CASE_TEST.test(name) ? 'test_directory' : undefined;
}

function isInsideLanguage(parent: string): boolean {
  const segments = parent.split('/');
  return segments.some(
    (segment, i) =>
      parseLocale(segment) !== undefined &&
      (isLanguageHolder(segments[i - 1] ?? '') || segments[i - 1] === '_locales'),
  );
}
