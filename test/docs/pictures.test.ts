import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { transcribe } from '../../scripts/pictures.ts';
import { drawTerminal } from '../../scripts/pictures/terminal.ts';
import { works } from '../readers/process.ts';

const PICTURES = join(import.meta.dirname, '../../docs/pictures');

describe('the pictures of the README', () => {
  it.runIf(works('apertium', ['-l']))('show what the program prints (npm run pictures)', () => {
    expect(readFileSync(join(PICTURES, 'terminal.svg'), 'utf8')).toBe(drawTerminal(transcribe()));
  });

  it('are small', () => {
    for (const name of ['terminal.svg', 'review.png'])
      expect(statSync(join(PICTURES, name)).size).toBeLessThan(150_000);
  });
});
