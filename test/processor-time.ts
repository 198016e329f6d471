/**
 * Processor milliseconds of this process, for limits on computing: a busy machine delays a test, but does not compute
 * more.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
