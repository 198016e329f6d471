import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { projectWith, temporaryDirectory } from '../cli/harness.ts';

const BIN = join(import.meta.dirname, '../../bin/dragoman.js');

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A checkout, and a home directory elsewhere. The built program works on it in its own process. */
export class Checkout {
  readonly root: string;
  readonly home = temporaryDirectory();

  constructor(files: Readonly<Record<string, string>>) {
    this.root = projectWith(files);
  }

  run(argv: readonly string[], at = '.', env: Readonly<Record<string, string>> = {}): Ended {
    return spawnSync(process.execPath, [BIN, ...argv], {
      cwd: join(this.root, at),
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: this.home,
        DRAGOMAN_ENGINE: 'pseudo',
        DRAGOMAN_MEMORY: 'off',
        ...env,
      },
      encoding: 'utf8',
      input: '',
    });
  }

  /** Like {@link run}, but the command must succeed. */
  do(argv: readonly string[], at = '.'): Ended {
    const ended = this.run(argv, at);
    expect(ended.status, `${argv.join(' ')} in ${at}: ${ended.stdout}${ended.stderr}`).toBe(0);
    return ended;
  }

  git(...argv: readonly string[]): void {
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...argv], {
      cwd: this.root,
      env: { PATH: process.env['PATH'] ?? '', HOME: this.home },
      stdio: 'ignore',
    });
  }

  read(name: string): string {
    return readFileSync(join(this.root, name), 'utf8');
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.root, name)), { recursive: true });
    writeFileSync(join(this.root, name), text);
  }

  /** All locks of the checkout. */
  locks(): readonly string[] {
    return readdirSync(this.root, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('dragoman.lock'))
      .sort();
  }

  /** The source files with lines in a lock. */
  locked(name = 'dragoman.lock'): readonly string[] {
    const files = this.read(name)
      .split('\n')
      .map((line) => line.split('\t'))
      .flatMap((fields) => (fields.length > 4 ? [fields[0] ?? ''] : []));
    return [...new Set(files)];
  }
}
