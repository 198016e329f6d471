/** What has to end with this program, however it exits: each kills one child process. */
const pending = new Set<() => void>();
let isWatching = false;

/** @returns what takes `kill` back, once the child is gone */
export function killAtExit(kill: () => void): () => void {
  pending.add(kill);
  if (!isWatching) {
    isWatching = true;
    process.on('exit', () => {
      for (const each of pending) each();
    });
  }
  return () => void pending.delete(kill);
}
