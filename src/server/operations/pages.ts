import type { Headers } from '../http/answer.ts';
import type { AppDependencies } from '../http/dependencies.ts';

/** The pages that need no key. */
export interface ServedPage {
  readonly path: string;
  readonly render: (headers: Headers) => Promise<Response>;
}

export function pagesOf({ metrics, options }: AppDependencies): readonly ServedPage[] {
  // Created once: anyone may request them, and their address does not change while the server listens.
  const described = once(async () =>
    (await import('../docs/openapi.ts')).openApiDocument(options.publicUrl()),
  );
  const document = once(async () => Buffer.from(JSON.stringify(await described())));
  const docs = once(async () => {
    const { docsPage, DOCS_POLICY } = await import('../docs/page.ts');
    return {
      page: Buffer.from(docsPage(await described())),
      policy: { 'content-security-policy': DOCS_POLICY },
    };
  });
  const pages: ServedPage[] = [
    {
      path: '/',
      // The address is relative because the public address may contain a path.
      render: (headers) =>
        Promise.resolve(new Response(null, { status: 302, headers: { ...headers, location: 'docs' } })),
    },
    {
      path: '/openapi.json',
      render: async (headers) => answerBytes(await document(), 'application/json; charset=utf-8', headers),
    },
    {
      path: '/docs',
      render: async (headers) => {
        const { page, policy } = await docs();
        return answerBytes(page, 'text/html; charset=utf-8', { ...headers, ...policy });
      },
    },
  ];
  if (options.metrics) {
    pages.push({
      path: '/metrics',
      render: async (headers) => {
        const { contentType, body } = await metrics.render();
        return answerBytes(Buffer.from(body), contentType, headers);
      },
    });
  }
  return pages;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/** All clients share the same bytes, so many slow readers need them only once in memory. */
function answerBytes(body: Buffer<ArrayBuffer>, contentType: string, headers: Headers): Response {
  return new Response(body, {
    headers: { ...headers, 'content-type': contentType, 'x-content-type-options': 'nosniff' },
  });
}
