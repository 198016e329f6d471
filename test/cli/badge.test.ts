import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith, type Result } from './harness.ts';

const status = (cwd: string, ...args: readonly string[]): Promise<Result> =>
  dragoman(['status', '-s', 'en', '--badge', 'badge.svg', ...args], { cwd });

/** The elements of a document that an XML parser has accepted, with their texts. */
function elementsOf(
  svg: string,
): readonly { readonly name: string; readonly attributes: Record<string, string> }[] {
  const elements: { name: string; attributes: Record<string, string> }[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => elements.push({ name, attributes }));
  parser.write(svg).close();
  return elements;
}

/** The relative luminance of a colour, as WCAG defines it. */
function luminanceOf(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

describe('status --badge', () => {
  it.each([
    [10, '100 %'],
    [9, '90 %'],
    [6, '60 %'],
    [1, '10 %'],
    [0, '0 %'],
  ])('shows %d of ten translations as %s, readable and with an accessible name', async (done, percent) => {
    const keys = (count: number): string =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, `Text ${i}`])));
    const root = projectWith({ 'locales/en.json': keys(10), 'locales/fr.json': keys(done) });
    const { exitCode, stdout, stderr } = await status(root, '-t', 'fr');
    expect(exitCode, stderr).toBe(0);
    expect(stdout).toContain(percent);
    const svg = readFileSync(join(root, 'badge.svg'), 'utf8');
    expect(svg).toContain(`>${percent}</text>`);
    const name = `translations: ${percent} of 10 values in 1 language`;
    expect(svg).toContain(`<title>${name}</title>`);
    const elements = elementsOf(svg);
    expect(elements[0]).toMatchObject({ name: 'svg', attributes: { role: 'img', 'aria-label': name } });
    const fills = elements.flatMap(({ name: element, attributes }) =>
      element === 'rect' ? [attributes['fill'] ?? ''] : [],
    );
    expect(fills).toHaveLength(2);
    for (const fill of fills) expect(1.05 / (luminanceOf(fill) + 0.05)).toBeGreaterThanOrEqual(4.5);
  });

  it('shows that a project has no keys', async () => {
    const root = projectWith({ 'locales/en.json': '{}', 'locales/fr.json': '{}' });
    expect((await status(root, '-t', 'fr')).exitCode).toBe(0);
    expect(readFileSync(join(root, 'badge.svg'), 'utf8')).toContain('translations: no keys');
  });

  it('replaces only its own files, even if nothing has changed', async () => {
    const root = projectWith({
      'locales/en.json': '{"a": "One"}',
      'locales/fr.json': '{"a": "Un"}',
      'other.svg': '<svg/>',
      'empty.svg': '',
    });
    mkdirSync(join(root, 'directory'));
    expect((await status(root, '-t', 'fr')).exitCode).toBe(0);
    const first = readFileSync(join(root, 'badge.svg'), 'utf8');
    expect((await status(root, '-t', 'fr')).exitCode).toBe(0);
    expect(readFileSync(join(root, 'badge.svg'), 'utf8')).toBe(first);
    expect((await status(root, '-t', 'fr', '--badge', 'empty.svg')).exitCode).toBe(0);
    for (const [path, message] of [
      ['other.svg', 'other.svg is not a badge of dragoman, so it was left unchanged'],
      ['directory', 'directory is not a regular file'],
      ['-', 'a badge cannot go to standard output'],
      ['no/badge.svg', 'there is no directory'],
    ] as const) {
      const { exitCode, stderr } = await status(root, '-t', 'fr', '--badge', path);
      expect(exitCode, path).toBe(2);
      expect(stderr).toContain(message);
    }
    expect(readFileSync(join(root, 'other.svg'), 'utf8')).toBe('<svg/>');
  });

  it('does not follow a link that leads out of the checkout', async () => {
    const root = projectWith({
      'locales/en.json': '{"a": "One"}',
      'locales/fr.json': '{"a": "Un"}',
      'outside/target.svg': '',
      'inside/.keep': '',
    });
    symlinkSync('../outside/target.svg', join(root, 'inside/badge.svg'));
    const { exitCode } = await status(root, '-t', 'fr', '--badge', 'inside/badge.svg');
    expect(exitCode).toBe(1);
    expect(readFileSync(join(root, 'outside/target.svg'), 'utf8')).toBe('');
  });
});
