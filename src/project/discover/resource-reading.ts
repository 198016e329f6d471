import type { LengthLimit } from '../../text/length-limit.ts';
import type { FrameworkEvidence } from '../../frameworks/evidence.ts';
import type { Configuration, LimitRule } from '../config/configuration.ts';
import { compileGlob, matchesKey } from '../config/glob.ts';
import type { Resource, ResourceFiles } from './resource.ts';

/** The framework of the files: from the configuration, otherwise from manifests and paths. */
export function withFramework(
  files: ResourceFiles,
  evidence: FrameworkEvidence,
  { framework: configured, limits }: Configuration,
): Resource {
  const { source: path, format } = files;
  const { framework, manifest } = evidence.frameworkOf(path, format, files.framework ?? configured);
  const messages = framework.messagesOf?.({ path, format, manifest });
  const limitOf = limits && limitsOfFile(limits, path);
  return { ...files, framework: framework.id, manifest: manifest?.path, messages, limitOf };
}

/** The limits of a source file and its translations; undefined if no rule is about the file. */
function limitsOfFile(rules: readonly LimitRule[], path: string): Resource['limitOf'] {
  const own = rules
    .filter(({ files }) => files?.some((glob) => compileGlob(glob).matches(path)) ?? true)
    .map(({ keys, max, unit = 'characters' }): [readonly string[] | undefined, LengthLimit] => [
      keys,
      { max, unit },
    ]);
  if (own.length === 0) return undefined;
  return (key) => {
    const name = key.join('.');
    return own.find(([keys]) => keys?.some((pattern) => matchesKey(pattern, name)) ?? true)?.[1];
  };
}
