import { DragomanError, type ErrorCode, traitsOf } from '../../base/errors.ts';
import { type Engine, type EngineOutcome, wrapEngine } from '../../engines/engine.ts';
import type { Log } from '../log/log.ts';

/** Whether a client may see this error of the engine. */
function isForCallers(error: DragomanError): boolean {
  return ['languages', 'engine', 'interruption', 'program'].includes(traitsOf(error).concerns);
}

/** The same error is logged once in this time. */
const LOG_EVERY_MS = 60_000;

/**
 * The engine of a server. If the server's own account with it has no credits or its key is rejected, the caller is not
 * to blame: clients see a failed engine, and the log has the cause.
 */
export function hideAccountErrors(engine: Engine, log: Log, now: () => number = Date.now): Engine {
  const logged = new Map<ErrorCode, number>();
  const own = (error: DragomanError): DragomanError => {
    const { code } = error;
    if (isForCallers(error)) return error;
    if (now() - (logged.get(code) ?? -Infinity) >= LOG_EVERY_MS) {
      logged.set(code, now());
      log.error({ code, err: error }, 'the engine cannot translate');
    }
    return new DragomanError('engine_failed', 'the engine cannot translate now');
  };
  const ownOutcome = (outcome: EngineOutcome): EngineOutcome => {
    if (!('failure' in outcome) || !outcome.error) return outcome;
    const error = own(outcome.error);
    return { failure: error === outcome.error ? outcome.failure : error.message, error };
  };
  const refuse = (error: unknown): never => {
    throw error instanceof DragomanError ? own(error) : error;
  };
  return wrapEngine(engine, {
    next: engine.next && hideAccountErrors(engine.next, log, now),
    status: (signal) => engine.status(signal).catch(refuse),
    supports: (source, target) => engine.supports(source, target).catch(refuse),
    translate: (request, signal) =>
      engine.translate(request, signal).then((outcomes) => outcomes.map(ownOutcome), refuse),
  });
}
