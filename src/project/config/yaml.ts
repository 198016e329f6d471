import { isMap, isNode, isScalar, parseDocument } from 'yaml';
import { DragomanError, type Location } from '../../base/errors.ts';
import { positionAt } from '../../base/span.ts';
import type { ConfigurationFile } from './source.ts';
import type { ValuePath } from './schema.ts';

/** @throws DragomanError `configuration`. */
export function readYaml(path: string, text: string): ConfigurationFile {
  const document = parseDocument(text, { prettyErrors: false });
  const placeAt = (offset: number): Location => ({ ...positionAt(text, offset), file: path });
  const failure = (offset: number, message: string): DragomanError =>
    new DragomanError('configuration', message, { at: placeAt(offset) });
  const problem = document.errors[0];
  if (problem) throw failure(problem.pos[0], `not well-formed YAML: ${problem.message}`);
  const offsetOf = (at: ValuePath): number => {
    const last = at.at(-1);
    const parent: unknown = at.length > 1 ? document.getIn(at.slice(0, -1), true) : document.contents;
    if (isMap(parent)) {
      const pair = parent.items.find(({ key }) => isScalar(key) && key.value === last);
      if (isScalar(pair?.key) && pair.key.range) return pair.key.range[0];
    }
    const node: unknown = at.length > 0 ? document.getIn(at, true) : document.contents;
    return isNode(node) && node.range ? node.range[0] : 0;
  };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw failure(0, `not usable YAML: ${error instanceof Error ? error.message : String(error)}`);
  }
  const placeOf = (at: ValuePath): Location => placeAt(offsetOf(at));
  return {
    path,
    value,
    placeOf,
    errorAt: (at, message, hint) => new DragomanError('configuration', message, { hint, at: placeOf(at) }),
  };
}
