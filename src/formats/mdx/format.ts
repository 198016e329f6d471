import { mdxjs } from 'micromark-extension-mdxjs';
import { proseFormat } from '../markdown/format.ts';

/** Markdown with components and expressions. */
export const mdx = proseFormat({ isMdx: true, extensions: [mdxjs()] });
