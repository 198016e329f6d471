import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { openFile, type OpenFile, type OpenOptions } from '../../documents/localization/open-file.ts';
import type { MessageRules } from '../../formats/message-rules.ts';
import type { FormatId } from '../../formats/registry.ts';
import { FrameworkEvidence } from '../../frameworks/evidence.ts';

/**
 * Opens a file outside a project, with the framework that the manifests above it in its checkout identify. Without
 * one, names and values determine the framework.
 * @throws DragomanError like `openFile`
 */
export async function openInCheckout(path: string, options: OpenOptions): Promise<OpenFile> {
  const file = await openFile(path, options);
  const messages = await messagesInCheckout(resolve(path), file.format.id);
  return messages ? openFile(path, { ...options, messages }) : file;
}

async function messagesInCheckout(path: string, format: FormatId): Promise<MessageRules | undefined> {
  const above = [dirname(path)];
  for (let at = dirname(path); !existsSync(join(at, '.git')); above.push(at)) {
    if (at === dirname(at)) return undefined;
    at = dirname(at);
  }
  const top = above.at(-1) ?? '';
  const inTop = (file: string): string => relative(top, file).split(sep).join('/');
  const evidence = new FrameworkEvidence(top);
  for (const directory of above)
    for (const name of readdirSync(directory)) evidence.add(inTop(join(directory, name)));
  return (await evidence.readingOf(inTop(path), format)).messages;
}
