import { expect } from 'vitest';
import { describeNote } from '../../src/project/plan/report.ts';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';

const CONFIGURATION =
  'source: en\ntargets: [es]\nfiles:\n  - source: guide.md\n    target: "{locale}/guide.md"\n';

export const GUIDE = `---
title: The garden
---

# The garden

A garden needs water, light and some patience. See [the calendar](./calendar.md) for dates.

\`\`\`sh
garden plan --year 2026
\`\`\`

## Tools

You need a spade and a rake.

- A spade for \`beds\`.
- A rake for the leaves that fall in autumn, and for the paths.

::: tip
Clean them with \`oil\` before winter.
:::

## Watering

Water in the morning, at most 20 litres for each bed.
`;

export const JARDIN = `---
title: El jardín
---

# El jardín

Un jardín necesita agua, luz y algo de paciencia. Las fechas están en [el calendario](./calendar.md).

\`\`\`sh
garden plan --year 2026
\`\`\`

## Herramientas

Se necesitan una pala y un rastrillo.

- Una pala para los \`beds\`.
- Un rastrillo para las hojas que caen en otoño, y para los caminos.

::: tip
Límpielas con \`oil\` antes del invierno.
:::

## Riego {#watering}

Riegue por la mañana, 20 litros por bancal como mucho.
`;

export function project(guide: string, jardin: string): ProjectDirectory {
  return new ProjectDirectory({
    'dragoman.config.yaml': CONFIGURATION,
    'guide.md': guide,
    'es/guide.md': jardin,
  });
}

interface Synced {
  readonly asked: readonly string[];
  readonly written: string;
  readonly notes: readonly string[];
  readonly coverage: object;
}

/** Syncs twice: the second run finds nothing to do. */
export async function sync(directory: ProjectDirectory): Promise<Synced> {
  const { languages: found } = await directory.check();
  const engine = new RecordingEngine();
  const { languages } = await directory.sync(engine);
  const [before, again] = [directory.snapshot(), new RecordingEngine()];
  const { languages: later } = await directory.sync(again);
  expect(again.texts).toEqual([]);
  expect(later[0]?.changes.kept).toBeGreaterThanOrEqual(languages[0]?.changes.kept ?? 0);
  expect(directory.snapshot()).toEqual(before);
  const files = languages.flatMap((language) => language.allFiles());
  expect(files.flatMap(({ error }) => error?.message ?? [])).toEqual([]);
  const { keys, translated, missing, unmatched } = found[0]?.coverage ?? {};
  expect((await directory.check()).languages[0]?.coverage.unmatched).toBe(unmatched);
  return {
    asked: engine.texts,
    written: directory.read('es/guide.md'),
    notes: files.flatMap(({ notes = [] }) => notes.map(describeNote)),
    coverage: { keys, translated, missing, unmatched },
  };
}
