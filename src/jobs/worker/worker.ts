import { EngineProxy } from '../../engines/host.ts';
import { serveCalls } from '../../workers/serve.ts';
import { inspectFile } from './inspect-file.ts';
import { OpenSources } from './open-sources.ts';
import type { FileProtocol } from './tasks.ts';
import { translateUnit } from './translate-unit.ts';

/** The worker of the jobs: it keeps the source that it has open for the next language. */
serveCalls<FileProtocol>((engine) => {
  const sources = new OpenSources();
  return async (task, { signal, note, ask }) => {
    if (task.kind === 'inspect') return inspectFile(task);
    const onProgress = (done: number, total: number): void => note({ done, total });
    return translateUnit(task, { engine: new EngineProxy(engine, ask), sources, signal, onProgress });
  };
});
