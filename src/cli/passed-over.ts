import { describePassedOver } from '../project/discover/passed-over.ts';
import type { Project } from '../project/state/project.ts';
import type { Output } from './output.ts';

/** What looks like localization and is not worked on: one line for each kind, on stderr. */
export function printPassedOver(projects: readonly Project[], output: Output): void {
  for (const { passedOver } of projects) {
    for (const kind of passedOver) output.message(describePassedOver(kind));
  }
}

/** The same for `--json`. */
export function passedOverDocument(projects: readonly Project[]): { readonly passed_over: unknown } {
  return {
    passed_over: projects.flatMap(({ root, passedOver }) =>
      passedOver.map(({ reason, extension, count, isAtLeast, example }) => ({
        root,
        reason,
        extension,
        count,
        is_at_least: isAtLeast,
        example,
      })),
    ),
  };
}
