import { execFileSync } from 'node:child_process';

/** Tests of the program as a process run what is in dist/: it has to be today's. */
export default function buildProgram(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
