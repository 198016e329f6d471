/**
 * Milliseconds that this process has had of the processor. Limits on computing are measured with it: a busy machine
 * makes a test wait, but computes no more.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
