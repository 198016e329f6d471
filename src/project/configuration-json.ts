import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type ParseError,
} from 'jsonc-parser';
import { DragomanError } from '../base/errors.ts';
import { positionAt } from '../base/span.ts';
import type { ConfigurationFile } from './configuration-source.ts';

/** JSON with comments, as editors know it from other tools' configurations. @throws DragomanError `configuration`. */
export function readJson(path: string, text: string): ConfigurationFile {
  const problems: ParseError[] = [];
  const root = parseTree(text, problems, { allowTrailingComma: true });
  const problem = problems[0];
  const failure = (offset: number, message: string, hint?: string): DragomanError =>
    new DragomanError('configuration', message, { hint, at: { ...positionAt(text, offset), file: path } });
  if (problem) throw failure(problem.offset, `not well-formed JSON: ${printParseErrorCode(problem.error)}`);
  return {
    path,
    value: root && getNodeValue(root),
    errorAt: (at, message, hint) => {
      const node = root && findNodeAtLocation(root, [...at]);
      const place = node?.parent?.type === 'property' ? node.parent : node;
      return failure(place?.offset ?? 0, message, hint);
    },
  };
}
