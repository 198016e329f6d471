import { describe, expect, it } from 'vitest';
import { DragomanError, traitsOf, type ErrorCode } from '../../src/base/errors.ts';

/** The exit code, the HTTP status and the traits that each error code must keep. */
const EXPECTED: Readonly<Record<ErrorCode, readonly [exitCode: number, status: number, traits: string]>> = {
  usage: [2, 500, 'command'],
  invalid_request: [2, 400, 'request'],
  configuration: [2, 500, 'command'],
  unreadable_input: [2, 400, 'document'],
  not_a_file: [2, 400, 'command'],
  limit_exceeded: [2, 400, 'document'],
  unencodable_value: [1, 500, 'rendering'],
  integrity: [1, 500, 'rendering'],
  unwritable_output: [1, 503, 'output'],
  store_unavailable: [6, 503, 'service transient'],
  unsupported_language: [2, 400, 'languages'],
  engine_unavailable: [7, 400, 'languages'],
  engine_failed: [1, 500, 'engine'],
  unauthenticated: [3, 500, 'account stops'],
  insufficient_credits: [4, 402, 'account stops'],
  rate_limited: [5, 429, 'account stops transient'],
  not_found: [1, 404, 'request'],
  unreachable: [6, 500, 'service stops transient'],
  answer_lost: [6, 500, 'service uncertain transient'],
  service_failed: [6, 500, 'service uncertain transient'],
  contract_violation: [6, 500, 'service uncertain'],
  interrupted: [130, 503, 'interruption uncertain'],
  internal: [1, 500, 'program'],
};

const codes = Object.keys(EXPECTED) as ErrorCode[];

describe('traits of errors', () => {
  it.each(codes)('of %s do not change', (code) => {
    const { exitCode, status, concerns, ...more } = traitsOf(new DragomanError(code, 'x'));
    const { stops, uncertain, transient } = { stops: false, uncertain: false, transient: false, ...more };
    const traits = [concerns, stops && 'stops', uncertain && 'uncertain', transient && 'transient']
      .filter((trait) => trait !== false)
      .join(' ');
    expect([exitCode, status, traits]).toEqual(EXPECTED[code]);
  });

  it('stop work that would fail again, except after a request that may have been charged', () => {
    for (const code of codes) {
      const { stops, uncertain } = traitsOf({ code });
      expect(stops === true && uncertain === true, code).toBe(false);
    }
  });
});
