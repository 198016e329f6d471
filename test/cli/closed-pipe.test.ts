import { describe, expect, it } from 'vitest';
import { projectWith } from './harness.ts';
import { shell } from './shell.ts';

describe('a pipe that closes early', () => {
  const texts = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`key${i}`, `Hello {x} ${i}`]));
  const findings = Object.fromEntries(Object.keys(texts).map((key) => [key, 'Hallo']));
  const files = { 'l/en.json': JSON.stringify(texts), 'l/de.json': JSON.stringify(findings) };

  it.each(['cat >/dev/null', 'head -1 >/dev/null', 'true'])('does not change the exit code: %s', (reader) => {
    const script = `{ $D lint l -s en -t de <&- 2>/dev/null; echo $? >code; } | ${reader}; cat code`;
    expect(shell(script, projectWith(files))).toBe('8\n');
  });

  it('stops quietly when the reader closes the pipe', () => {
    expect(shell('$D languages --json <&- | head -1', projectWith({}))).toBe('{\n');
  });

  it('ends a command that would read forever', () => {
    const script = `yes hello | { timeout 60 $D batch $F; echo $? >code; } | head -2 >/dev/null; cat code`;
    expect(shell(script, projectWith({}))).toBe('0\n');
  });
});
