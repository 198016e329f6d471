import { DragomanError } from '../base/errors.ts';
import { sameLanguage } from '../languages/locale.ts';
import type { Engine } from './engine.ts';

/** The name under which texts are counted that stay as they are. No engine has it. */
export const COPY = 'copy';

/**
 * Whether texts stay as they are: source and target are regional variants of one language (`en-GB` and `en-US`), and
 * the engine has no direct way between them. An engine that cannot say what it supports is asked, and answers with the
 * error itself.
 */
export async function keepsText(
  engine: Pick<Engine, 'supports'>,
  source: string,
  target: string,
): Promise<boolean> {
  if (!sameLanguage(source, target)) return false;
  try {
    return !(await engine.supports(source, target));
  } catch (error) {
    if (error instanceof DragomanError) return false;
    throw error;
  }
}
