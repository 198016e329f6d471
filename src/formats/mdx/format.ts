import { mdxjs } from 'micromark-extension-mdxjs';
import { proseFormat } from '../markdown/format.ts';
import { constructsWith } from '../markdown/parts.ts';
import { beginCode, boundedAcorn } from './code.ts';

/** Markdown with components and expressions. */
export const mdx = proseFormat({
  isMdx: true,
  constructs: constructsWith([mdxjs({ acorn: boundedAcorn })]),
  begin: beginCode,
});
