import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Screenshots } from '../../../src/project/review/screenshots.ts';
import { ProjectDirectory } from '../project-directory.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);
const WEBP = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');

function folderWith(files: Readonly<Record<string, Uint8Array | string>>) {
  const { path } = new ProjectDirectory();
  const folder = join(path, 'pictures');
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return { root: path, folder, screenshots: new Screenshots(folder, path) };
}

describe('screenshots', () => {
  it('belong to the keys that begin with their names, the closest first', () => {
    const { screenshots } = folderWith({
      'menu.png': PNG,
      'menu.open.png': PNG,
      'menu/open@dark.webp': WEBP,
      'menu/open/hint.jpg': JPEG,
      'men.png': PNG,
      'menu.open.svg': '<svg/>',
    });
    expect(screenshots.namesFor('menu.open')).toEqual(['menu.open.png', 'menu/open@dark.webp', 'menu.png']);
    expect(screenshots.namesFor('menu.open.hint')[0]).toBe('menu/open/hint.jpg');
    expect(screenshots.namesFor('menu.save')).toEqual(['menu.png']);
    expect(screenshots.namesFor('menus')).toEqual([]);
    expect(screenshots.namesFor('')).toEqual([]);
  });

  it('have the type of their bytes', async () => {
    const { screenshots } = folderWith({ 'a.jpg': PNG, 'b.png': JPEG, 'c.png': WEBP, 'd.png': '<script>' });
    expect(await screenshots.read('a.jpg')).toEqual({ type: 'image/png', bytes: Uint8Array.from(PNG) });
    expect((await screenshots.read('b.png'))?.type).toBe('image/jpeg');
    expect((await screenshots.read('c.png'))?.type).toBe('image/webp');
    expect(await screenshots.read('d.png')).toBeUndefined();
  });

  it('are read only from the folder, and not through links', async () => {
    const { root, folder, screenshots } = folderWith({ 'a.png': PNG, '.git/b.png': PNG });
    writeFileSync(join(root, 'secret.png'), PNG);
    symlinkSync(join(root, 'secret.png'), join(folder, 'link.png'));
    symlinkSync(root, join(folder, 'directory'));
    expect(screenshots.namesFor('link')).toEqual([]);
    expect(screenshots.namesFor('directory.secret')).toEqual([]);
    for (const name of ['../secret.png', 'link.png', 'directory/secret.png', '.git/b.png', '', 'A.png'])
      expect(await screenshots.read(name), name).toBeUndefined();
    expect(await screenshots.read('a.png')).toBeDefined();
  });

  it('are not read from a folder outside of the project', async () => {
    const { root, folder } = folderWith({ 'a.png': PNG });
    const other = new ProjectDirectory().path;
    symlinkSync(folder, join(other, 'pictures'));
    const outside = new Screenshots(join(other, 'pictures'), other);
    expect(outside.namesFor('a')).toEqual([]);
    expect(await outside.read('a.png')).toBeUndefined();
    expect(new Screenshots(join(root, 'none'), root).namesFor('a')).toEqual([]);
  });

  it('are limited to a number of files, directories and entries', () => {
    const { root, folder } = folderWith({ 'a.png': PNG, 'b.png': PNG, 'c/a.png': PNG, 'c/d/a.png': PNG });
    const most = { files: 9, directories: 9, entries: 9 };
    const shown = (bounds: Partial<typeof most>): readonly string[] => {
      const screenshots = new Screenshots(folder, root, { ...most, ...bounds });
      return ['a', 'b', 'c.a', 'c.d.a'].flatMap((key) => screenshots.namesFor(key));
    };
    expect(shown({})).toHaveLength(4);
    expect(shown({ files: 3 })).toHaveLength(3);
    expect(shown({ directories: 1 })).toEqual(['a.png', 'b.png']);
    expect(shown({ entries: 3 })).toEqual(['a.png', 'b.png']);
  });

  it('have at most 5 MB', async () => {
    const { folder, screenshots } = folderWith({ 'a.png': PNG });
    truncateSync(join(folder, 'a.png'), 5_000_001);
    expect(await screenshots.read('a.png')).toBeUndefined();
  });
});
