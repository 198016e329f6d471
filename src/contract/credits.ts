import type { BatchRequest } from './texts.ts';

/** What operations cost. Blocks and text nodes are counted where documents are read. */

/** translate, HTML, language detection; also of version 1. */
export const SINGLE_CREDIT = 1;

export function batchCredits({ texts }: Pick<BatchRequest, 'texts'>): number {
  return texts.length;
}

/** @param textNodes segments between the tags of the body that are not only white space */
export function emailCredits(textNodes: number): number {
  return 1 + textNodes;
}

export function subtitleCredits(blocks: number): number {
  return blocks;
}
