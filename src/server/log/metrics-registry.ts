import prometheus from 'prom-client';
import type { Metrics, MetricsSources } from './metrics.ts';

/** How the numbers of several processes are combined; by default they are added. */
type Aggregator = 'max';

/** The range covers a cached answer and a long e-mail translated by a neural engine. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * The metrics of a server that was started with `--metrics`.
 *
 * With `--metrics`, everyone who can connect may read `/metrics`; without it, the path is unknown and nothing is
 * counted. The client's address is not checked: behind a proxy, every request comes from this machine. This is safe
 * because the metrics only have totals by operation, nothing by account or key, and no text.
 *
 * Each server has a separate registry, so several servers in one process (tests) do not share metrics.
 */
export function startMetrics({ jobs, all }: MetricsSources = {}): Metrics {
  const registry = new prometheus.Registry();
  const registers = [registry];
  let running = 0;
  prometheus.collectDefaultMetrics({ register: registry });
  const durations = new prometheus.Histogram({
    name: 'dragoman_http_request_duration_seconds',
    help: 'Requests by route and status, from their head to the end of the answer.',
    labelNames: ['route', 'status'],
    buckets: SECONDS,
    registers,
  });
  const gauge = (name: string, help: string, read: () => number, aggregator?: Aggregator): unknown =>
    new prometheus.Gauge({
      name,
      help,
      registers,
      ...(aggregator && { aggregator }),
      collect() {
        this.set(read());
      },
    });
  gauge('dragoman_http_requests_in_flight', 'Requests that are being served.', () => running);
  gauge('dragoman_processes', 'Processes of the server that answer.', () => 1);
  const credits = new prometheus.Counter({
    name: 'dragoman_credits_charged_total',
    help: 'Credits charged by operation.',
    labelNames: ['operation'],
    registers,
  });
  const deliveries = new prometheus.Counter({
    name: 'dragoman_webhook_attempts_total',
    help: 'Attempts to call a webhook by result.',
    labelNames: ['result'],
    registers,
  });
  let counts = { waiting: 0, running: 0 };
  if (jobs) {
    const waiting = (): number => counts.waiting;
    // All processes report the same number.
    gauge('dragoman_job_units_waiting', 'Files and languages of jobs that are waiting.', waiting, 'max');
    gauge(
      'dragoman_job_units_running',
      'Files and languages of jobs that are running here.',
      () => counts.running,
    );
  }
  // Read once for both gauges, before either is collected.
  const count = async (): Promise<void> => {
    if (jobs) counts = await jobs();
  };
  const numbers = async (): Promise<readonly object[]> => {
    await count();
    return registry.getMetricsAsJSON();
  };
  const registryOfAll = async (): Promise<prometheus.Registry> => {
    if (all) return prometheus.AggregatorRegistry.aggregate([...(await all())]);
    await count();
    return registry;
  };
  return {
    numbers,
    begin: () => {
      running++;
    },
    observe: (route, status, seconds) => {
      running = Math.max(0, running - 1);
      durations.observe({ route, status }, seconds);
    },
    charge: (operation, amount) => {
      if (amount > 0) credits.inc({ operation }, amount);
    },
    countDelivery: (result) => deliveries.inc({ result }),
    render: async () => {
      const { contentType } = registry;
      return { contentType, body: await (await registryOfAll()).metrics() };
    },
  };
}
