const LEVELS = ['major', 'minor', 'patch'] as const;

/** The version after this one; `current` for the first release of an already set version. */
export function nextVersion(version: string, level: string): string | undefined {
  if (level === 'current') return version;
  const raised = LEVELS.findIndex((one) => one === level);
  if (raised === -1) return undefined;
  const parts = version.split('.').map(Number);
  return parts.map((part, i) => (i < raised ? part : i === raised ? part + 1 : 0)).join('.');
}

/**
 * The changelog with the release date in its section, whose heading was the version or `Unreleased` before.
 * Undefined without such a section, or with one that already has a date.
 */
export function datedChangelog(text: string, version: string, date: Date): string | undefined {
  const heading = [`## ${version}`, '## Unreleased'].find((line) => text.includes(`\n${line}\n`));
  if (heading === undefined) return undefined;
  return text.replace(`\n${heading}\n`, `\n## ${version} - ${date.toISOString().slice(0, 10)}\n`);
}
