import { execFileSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';

/** Tests of the program as a process run what is in dist/: it has to be today's. */
export default function buildProgram(project: TestProject): void {
  build();
  project.onTestsRerun(build);
}

function build(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
