import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type ParseError,
} from 'jsonc-parser';
import { DragomanError, type Location } from '../../base/errors.ts';
import { positionAt } from '../../base/span.ts';
import { configurationFile, type ConfigurationFile, MAX_DEPTH, nestedTooDeeply } from './schema.ts';

/**
 * JSON with comments, as editors accept it in other tools' configurations.
 *
 * @throws DragomanError `configuration`, `limit_exceeded` for values that are nested too deeply
 */
export function readJson(path: string, text: string): ConfigurationFile {
  const placeAt = (offset: number): Location => ({ ...positionAt(text, offset), file: path });
  const tooDeep = offsetTooDeep(text);
  if (tooDeep !== undefined) throw nestedTooDeeply(placeAt(tooDeep));
  const problems: ParseError[] = [];
  const root = parseTree(text, problems, { allowTrailingComma: true });
  const problem = problems[0];
  if (problem) {
    const message = `not well-formed JSON: ${printParseErrorCode(problem.error)}`;
    throw new DragomanError('configuration', message, { at: placeAt(problem.offset) });
  }
  return configurationFile(path, root && getNodeValue(root), (at) => {
    const node = root && findNodeAtLocation(root, [...at]);
    const place = node?.parent?.type === 'property' ? node.parent : node;
    return placeAt(place?.offset ?? 0);
  });
}

/** The offset of the value that is nested too deeply. Uses the scanner, because the parser is recursive. */
function offsetTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const first = text.charAt(scanner.getTokenOffset());
    if (first === '{' || first === '[') depth++;
    if (first === '}' || first === ']') depth--;
    if (depth > MAX_DEPTH) return scanner.getTokenOffset();
  }
  return undefined;
}
