import { contextOf } from '../../pipeline/memory.ts';

const SEPARATOR = contextOf(['', '']);

/** The key from which a context was made. */
export function keyOfContext(context: string): readonly string[] {
  return context === '' ? [] : context.split(SEPARATOR);
}

/** A context in readable form, such as `menu.save`, or as JSON if that would be ambiguous. */
export function nameContext(context: string): string {
  const parts = keyOfContext(context);
  const plain = parts.every((part) => part !== '' && !/[.[\n\r]/.test(part));
  return plain ? parts.join('.') : JSON.stringify(parts);
}

/** The inverse of {@link nameContext}; undefined for invalid JSON. */
export function readContext(name: string): string | undefined {
  if (!name.startsWith('[')) return name === '' ? '' : contextOf(name.split('.'));
  const parts = parseNames(name);
  return parts && contextOf(parts);
}

/** A list of texts written as JSON. */
export function parseNames(json: string): readonly string[] | undefined {
  try {
    const names: unknown = JSON.parse(json);
    return Array.isArray(names) && names.every((name) => typeof name === 'string') ? names : undefined;
  } catch {
    return undefined;
  }
}
