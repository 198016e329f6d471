/** Metrics of a running server, in Prometheus' text format. */
export interface Metrics {
  /** Call this when a request arrives; {@link observe} ends it. */
  begin(): void;
  /**
   * Call this when a request is done.
   *
   * @param route the method and the path of the operations table, never the requested path: invented paths must not
   * create new series; `unmatched` for an unknown path
   */
  observe(route: string, status: number, seconds: number): void;
  charge(operation: string, credits: number): void;
  /** Counts one attempt to call a webhook. */
  countDelivery(result: DeliveryResult): void;
  /** The metrics of this process, for {@link render} in the process that answers the request. */
  numbers(): Promise<readonly object[]>;
  render(): Promise<{ readonly contentType: string; readonly body: string }>;
}

export type DeliveryResult = 'delivered' | 'retrying' | 'failed';

export interface MetricsSources {
  /** The waiting and the running units, queried when metrics are read. */
  readonly jobs?: (() => Promise<{ readonly waiting: number; readonly running: number }>) | undefined;
  /** The metrics of all processes of the server, including this one. Default: this process only. */
  readonly all?: (() => Promise<readonly (readonly object[])[]>) | undefined;
}

/** For a server without `--metrics`. */
export const noMetrics: Metrics = {
  begin: () => undefined,
  observe: () => undefined,
  charge: () => undefined,
  countDelivery: () => undefined,
  numbers: () => Promise.resolve([]),
  render: () => Promise.reject(new Error('metrics are off')),
};
