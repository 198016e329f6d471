import { describe, expect, it } from 'vitest';
import { noMetrics } from '../../src/server/log/metrics.ts';
import { startMetrics } from '../../src/server/log/metrics-registry.ts';
import { processorTime } from '../processor-time.ts';

/** The values by name with labels. */
function readNumbers(body: string): ReadonlyMap<string, number> {
  const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [
      line.slice(0, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' ') + 1)),
    ]),
  );
}

describe('metrics', () => {
  it('count requests by route and status, credits, and calls of webhooks', async () => {
    const metrics = startMetrics();
    for (let i = 0; i < 3; i++) metrics.begin();
    metrics.observe('POST /v2/translate', 200, 0.004);
    metrics.observe('POST /v2/translate', 429, 0.0004);
    metrics.charge('translate', 3);
    metrics.charge('translate', 0);
    metrics.charge('i18n', 40);
    metrics.countDelivery('retrying');
    metrics.countDelivery('delivered');
    const { body, contentType } = await metrics.render();
    expect(contentType).toMatch(/^text\/plain; version=0\.0\.4/);
    const numbers = readNumbers(body);
    const duration = 'dragoman_http_request_duration_seconds';
    const ok = 'route="POST /v2/translate",status="200"';
    expect(numbers.get(`${duration}_count{${ok}}`)).toBe(1);
    expect(numbers.get(`${duration}_sum{${ok}}`)).toBeCloseTo(0.004);
    expect(numbers.get(`${duration}_bucket{le="0.0025",${ok}}`)).toBe(0);
    expect(numbers.get(`${duration}_bucket{le="0.005",${ok}}`)).toBe(1);
    expect(numbers.get(`${duration}_count{route="POST /v2/translate",status="429"}`)).toBe(1);
    expect(numbers.get('dragoman_http_requests_in_flight')).toBe(1);
    expect(numbers.get('dragoman_credits_charged_total{operation="translate"}')).toBe(3);
    expect(numbers.get('dragoman_credits_charged_total{operation="i18n"}')).toBe(40);
    expect(numbers.get('dragoman_webhook_attempts_total{result="retrying"}')).toBe(1);
    expect(numbers.get('dragoman_webhook_attempts_total{result="delivered"}')).toBe(1);
    expect([...numbers.keys()].filter((name) => name.startsWith('dragoman_job'))).toEqual([]);
    for (const name of ['process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds']) {
      expect(numbers.get(name), name).toBeGreaterThanOrEqual(0);
    }
    expect(numbers.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
  });

  it('query the units of jobs when they are read', async () => {
    let waiting = 7;
    const metrics = startMetrics({ jobs: () => Promise.resolve({ waiting, running: 2 }) });
    expect(readNumbers((await metrics.render()).body).get('dragoman_job_units_waiting')).toBe(7);
    waiting = 0;
    const numbers = readNumbers((await metrics.render()).body);
    expect(numbers.get('dragoman_job_units_waiting')).toBe(0);
    expect(numbers.get('dragoman_job_units_running')).toBe(2);
  });

  it('of two servers of a process are separate', async () => {
    const [one, two] = [startMetrics(), startMetrics()];
    one.charge('translate', 5);
    expect((await two.render()).body).not.toContain('operation="translate"');
  });

  it('cost little per request', async () => {
    const metrics = startMetrics();
    const run = (times: number): number => {
      const started = processorTime();
      for (let i = 0; i < times; i++) {
        metrics.begin();
        metrics.observe('POST /v2/translate', 200, 0.004);
        metrics.charge('translate', 1);
      }
      return ((processorTime() - started) * 1000) / times;
    };
    run(20_000);
    // Microseconds. A tenth of the bound on a quiet machine.
    expect(Math.min(run(20_000), run(20_000), run(20_000))).toBeLessThan(50);
  });

  it('are off by default', async () => {
    noMetrics.begin();
    noMetrics.observe('POST /v2/translate', 200, 1);
    noMetrics.charge('translate', 1);
    noMetrics.countDelivery('failed');
    await expect(noMetrics.render()).rejects.toThrow('metrics are off');
  });
});
