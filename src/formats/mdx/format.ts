import { mdxjs } from 'micromark-extension-mdxjs';
import type { Format } from '../format.ts';
import { markdown, proseFormat } from '../markdown/format.ts';

const strict = proseFormat({ isMdx: true, extensions: [mdxjs()] });

/** Markdown with components and expressions. What is no valid MDX is read as Markdown. */
export const mdx: Format = {
  ...strict,
  scan(text, options) {
    try {
      return strict.scan(text, options);
    } catch (error) {
      if (error instanceof Error && 'ruleId' in error) return markdown.scan(text, options);
      throw error;
    }
  },
};
