import { DragomanError } from '../base/errors.ts';
import { sameLanguage } from '../languages/locale.ts';
import type { Engine } from './engine.ts';

/** The name under which unchanged texts are counted; not the name of any engine. */
export const COPY = 'copy';

/**
 * Whether texts stay unchanged: source and target are regional variants of one language (`en-GB` and `en-US`), and the
 * engine has no direct route between them. An engine that cannot list its pairs is called, and reports the error
 * itself. If the languages differ, the engine is not asked.
 */
export function keepsText(
  engine: Pick<Engine, 'supports'>,
  source: string,
  target: string,
): false | Promise<boolean> {
  return sameLanguage(source, target) && lacksRoute(engine, source, target);
}

async function lacksRoute(
  engine: Pick<Engine, 'supports'>,
  source: string,
  target: string,
): Promise<boolean> {
  try {
    return !(await engine.supports(source, target));
  } catch (error) {
    if (error instanceof DragomanError) return false;
    throw error;
  }
}
