import { interrupted } from '../base/interruption.ts';
import type { Call } from './prepared.ts';
import { Refusal } from './refusal.ts';

const DETAILS = {
  429: 'rate limit exceeded (rehearsed by --fault); try again later',
  500: 'internal server error (rehearsed by --fault)',
  503: 'the service is unavailable (rehearsed by --fault); try again later',
} as const;

/**
 * Rehearses a failure, if `--fault` requests it, of a request that would otherwise be processed now.
 *
 * @throws Refusal with the status of the failure; DragomanError `interrupted` when the connection was cut or is gone.
 */
export async function rehearseFault({ parts, context, signal }: Call): Promise<void> {
  const { faults } = parts;
  if (!faults) return;
  await faults.delay(signal);
  const fault = faults.next();
  if (!fault) return;
  if ('drop' in fault) {
    context.env?.incoming?.socket.destroy();
    throw interrupted('the connection was cut (--fault)');
  }
  const { status } = fault;
  const soon = status === 500 ? {} : { 'retry-after': '1' };
  const window = {
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Math.ceil(parts.now() / 1000) + 1),
  };
  throw new Refusal(status, DETAILS[status], status === 429 ? { ...soon, ...window } : soon);
}
