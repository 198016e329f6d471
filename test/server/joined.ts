import { EventEmitter } from 'node:events';
import type { Coordinator, ServerProcess } from '../../src/server/processes/coordinator.ts';
import type { LineEnd } from '../../src/server/processes/process-channel.ts';
import { SiblingProcesses } from '../../src/server/processes/siblings.ts';

/**
 * The two ends of a line within this process. Messages arrive as they would from another process: as copies, in a later
 * turn of the event loop.
 */
function line(): readonly [LineEnd, LineEnd] {
  const [left, right] = [new EventEmitter(), new EventEmitter()];
  const end = (own: EventEmitter, other: EventEmitter): LineEnd => ({
    send: (message) => {
      const copy: unknown = JSON.parse(JSON.stringify(message));
      setImmediate(() => other.emit('message', copy));
    },
    onMessage: (receive) => void own.on('message', receive),
  });
  return [end(left, right), end(right, left)];
}

export interface Joined {
  readonly siblings: SiblingProcesses;
  readonly member: ServerProcess;
}

/** The state of one of `count` processes of a server, without the process. */
export async function join(coordinator: Coordinator, index: number, count: number): Promise<Joined> {
  const [near, far] = line();
  const member = coordinator.connect(near, {
    place: () => ({ index, count, url: '' }),
    ready: () => undefined,
    accepted: () => undefined,
    failed: () => undefined,
  });
  return { siblings: await SiblingProcesses.join(far), member };
}
