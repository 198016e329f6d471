import { expect, it } from 'vitest';
import { faultsOf, reportOf, type Outcome } from './load.ts';

const outcomeWith = (statuses: readonly string[], findings: Partial<Outcome['findings']> = {}): Outcome => ({
  did: '',
  answered: 1,
  jobs: 0,
  log: '',
  statuses: new Map(statuses.map((status) => [status, 1])),
  findings: { lost: 0, twice: 0, reserved: 0, chargedUnheard: 0, wrong: [], ...findings },
});

it('a chaos run counts every answer except success and 503 as a fault, and compares the books', () => {
  expect(faultsOf(outcomeWith(['200', '201', '503']))).toEqual([]);
  const others = ['500', '502', '504', '404', '402', '503 without Retry-After', 'broken'];
  expect(faultsOf(outcomeWith(['200', ...others]))).toEqual(others.map((code) => `answers with ${code}: 1`));
  expect(faultsOf(outcomeWith(['broken']), ['broken'])).toEqual([]);
  const findings = { lost: 1, twice: 2, reserved: 3, wrong: ['a webhook has 2 bodies'] };
  expect(faultsOf(outcomeWith([], findings))).toEqual([
    '1 lost',
    '2 twice',
    '3 reserved',
    'a webhook has 2 bodies',
  ]);
});

it('a chaos run reports the faults first, then the errors in the logs', () => {
  const warnings = Array.from({ length: 100 }, (_, i) => `{"level":"warn","n":${i}}`);
  const error = '{"level":"error","msg":"ENOENT"}';
  const report = reportOf(['1 lost'], [error, ...warnings, ''].join('\n')).split('\n');
  expect(report.slice(0, 3)).toEqual(['1 lost', '', error]);
  expect(report.at(-1)).toBe(warnings.at(-1));
  expect(report).toHaveLength(44);
});
