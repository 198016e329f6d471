import type { Message } from '../text/message.ts';
import { contextOf } from './memory-context.ts';
import type { MemoryMessage } from './memory.ts';
import type { UnitContext } from './unit.ts';

/** A value as the translation memory knows it; undefined where nothing in it is to be translated. */
export function memoryMessageOf(
  message: Message,
  context: UnitContext | undefined,
  target: string,
): MemoryMessage | undefined {
  const segments = message.segments(target);
  if (segments.length === 0) return undefined;
  return {
    segments,
    placeholders: message.placeholders(target),
    category: context?.category ?? '',
    context: context ? contextOf(context.key) : '',
  };
}
