import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AUTO_ENGINE, configurableEngines, engineIds, SERVICE_ENGINE } from '../../src/engines/registry.ts';
import { CONFIGURATION_SCHEMA } from '../../src/project/config/configuration.ts';

const src = resolve(import.meta.dirname, '../../src');
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: withoutComments(readFileSync(join(src, file), 'utf8')) }));

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*/gm, '');
}

/** `auto` is also a source language, and `service` a setting: as words, they occur in many places. */
const ids = engineIds.filter((id) => id !== AUTO_ENGINE && id !== SERVICE_ENGINE);

describe('an engine', () => {
  it.each(ids)('needs only its folder and one line: %s', (id) => {
    const isString = new RegExp(`(['"\`])${id}\\1`);
    const places = sources.filter(({ text }) => isString.test(text)).map(({ file }) => file);
    // Other tools' configurations name engines too.
    const own = [`engines/${id}/`, 'project/config/foreign.ts'];
    expect(places.filter((file) => !own.some((place) => file.startsWith(place)))).toEqual([]);
    const importers = sources.filter(({ text }) => text.includes(`/${id}/description.ts'`));
    expect(importers.map(({ file }) => file)).toEqual(['engines/registry.ts']);
  });

  it('that can be configured has a section in the schema, and others do not', () => {
    const sections = Object.keys(CONFIGURATION_SCHEMA.properties ?? {});
    expect(ids.filter((id) => sections.includes(id))).toEqual(configurableEngines);
  });
});
