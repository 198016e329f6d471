import { answerJson, type Headers } from './answer.ts';
import type { ServerParts } from './parts.ts';

/** What a server tells of itself to people and programs that have no key. */
export interface Page {
  readonly path: string;
  render(headers: Headers): Promise<Response>;
}

export function pagesOf({ metrics, options }: ServerParts): readonly Page[] {
  const { publicUrl } = options;
  const pages: Page[] = [
    {
      path: '/openapi.json',
      render: async (headers) => {
        const { openApiDocument } = await import('./openapi.ts');
        return answerJson(200, openApiDocument(publicUrl()), headers);
      },
    },
    {
      path: '/docs',
      render: async (headers) => {
        const { docsPage, DOCS_POLICY } = await import('./docs-page.ts');
        const type = 'text/html; charset=utf-8';
        return answerText(docsPage(publicUrl()), type, {
          ...headers,
          'content-security-policy': DOCS_POLICY,
        });
      },
    },
  ];
  if (options.metrics) {
    pages.push({
      path: '/metrics',
      render: async (headers) => {
        const { contentType, body } = await metrics.render();
        return answerText(body, contentType, headers);
      },
    });
  }
  return pages;
}

function answerText(body: string, contentType: string, headers: Headers): Response {
  return new Response(body, {
    headers: { ...headers, 'content-type': contentType, 'x-content-type-options': 'nosniff' },
  });
}
