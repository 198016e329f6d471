import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, temporaryDirectory } from './harness.ts';

describe('an unreadable translation', () => {
  const files = {
    'locales/en.json': '{\n  "save": "Save",\n  "open": "Open"\n}\n',
    'locales/de.json': '{\n  "save": \n',
    'locales/es.json': '{\n  "save": "Guardar"\n}\n',
  };

  it.each([['status'], ['sync', '--dry-run', '--engine', 'pseudo']])(
    'is reported, and %s counts the others',
    async (...args) => {
      const root = temporaryDirectory();
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(root, name)), { recursive: true });
        writeFileSync(join(root, name), text);
      }
      const { exitCode, stdout, stderr } = await dragoman(args, { cwd: root });
      expect(exitCode).toBe(2);
      expect(stderr).toContain('locales/de.json:3:1');
      expect(stdout).toMatch(/^de +not readable$/m);
      expect(stdout).toMatch(/^es +50 % /m);
    },
  );
});
