import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type ParseError,
} from 'jsonc-parser';
import { DragomanError, type Location } from '../../base/errors.ts';
import { positionAt } from '../../base/span.ts';
import type { ConfigurationFile } from './source.ts';
import type { ValuePath } from './schema.ts';

/** JSON with comments, as editors know it from other tools' configurations. @throws DragomanError `configuration`. */
export function readJson(path: string, text: string): ConfigurationFile {
  const problems: ParseError[] = [];
  const root = parseTree(text, problems, { allowTrailingComma: true });
  const problem = problems[0];
  const placeAt = (offset: number): Location => ({ ...positionAt(text, offset), file: path });
  if (problem) {
    const message = `not well-formed JSON: ${printParseErrorCode(problem.error)}`;
    throw new DragomanError('configuration', message, { at: placeAt(problem.offset) });
  }
  const placeOf = (at: ValuePath): Location => {
    const node = root && findNodeAtLocation(root, [...at]);
    const place = node?.parent?.type === 'property' ? node.parent : node;
    return placeAt(place?.offset ?? 0);
  };
  return {
    path,
    value: root && getNodeValue(root),
    placeOf,
    errorAt: (at, message, hint) => new DragomanError('configuration', message, { hint, at: placeOf(at) }),
  };
}
