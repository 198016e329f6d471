import { existsSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../src/project/state/lock-line.ts';
import { Checkout } from './checkout.ts';

const EN = '{\n  "save": "Save",\n  "open": "Open"\n}\n';

describe('the journal', () => {
  it('is never read from a checkout, because its author is unknown', () => {
    const planted = `${JSON.stringify({
      lines: ['en.json\t/save\tes\t0123456789abcdef\tfedcba9876543210'],
      target: 'en.json',
    })}\n`;
    const checkout = new Checkout({ 'en.json': EN, '.dragoman-journal': planted });
    checkout.write('.en.json.dragoman-tmp', 'not to be removed because a checkout says so');
    checkout.do(['sync', '-s', 'en', '-t', 'es,fr']);
    expect(checkout.read('.dragoman-journal')).toBe(planted);
    expect(existsSync(join(checkout.root, '.en.json.dragoman-tmp'))).toBe(true);
    expect(checkout.read('dragoman.lock')).not.toContain('fedcba9876543210');
    checkout.do(['check']);
  });

  it('does not decide the origin of imported translations if it is in a checkout', () => {
    const line = ['en.json', '/save', 'es', fingerprint('Save'), fingerprint('Guardar')].join('\t');
    const checkout = new Checkout({
      'en.json': EN,
      'es.json': '{"save": "Guardar", "open": "Abrir"}',
      '.dragoman-journal': `${JSON.stringify({ target: 'es.json', lines: [line] })}\n`,
    });
    checkout.do(['memory', 'import', '.', '-s', 'en', '--memory', 'memory.db']);
    const { stdout } = checkout.do(['memory', 'stats', '--json', '--memory', 'memory.db']);
    expect(JSON.parse(stdout)).toMatchObject({ pairs: [{ human: 2, machine: 0 }] });
  });

  it('is not written through a link', () => {
    const checkout = new Checkout({ 'en.json': EN });
    checkout.do(['sync', '-s', 'en', '-t', 'es']);
    writeFileSync(join(checkout.home, 'victim'), 'precious');
    const projects = join(checkout.home, '.local/state/dragoman/projects');
    const [place = ''] = readdirSync(projects);
    symlinkSync(join(checkout.home, 'victim'), join(projects, place, 'journal'));
    checkout.write('en.json', EN.replace('Open', 'Open it'));
    expect(checkout.run(['sync']).status).toBe(1);
    expect(readFileSync(join(checkout.home, 'victim'), 'utf8')).toBe('precious');
  });

  it('needs a home or a state directory', () => {
    const checkout = new Checkout({ 'en.json': EN });
    const { status, stderr } = checkout.run(['sync', '-s', 'en', '-t', 'es'], '.', { HOME: '' });
    expect(stderr).toMatch(/HOME or XDG_STATE_HOME/);
    expect(status).toBe(1);
    expect(checkout.locks()).toEqual([]);
  });
});
