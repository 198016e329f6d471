import type { Axis } from './axis.ts';

/**
 * A new endpoint starts as a copy of one that translates a text: its schemas, its line in the table, its
 * handler and a test.
 */
export const endpoint: Axis = {
  filesOf: ({ id, variable, type }) =>
    new Map([
      [
        `src/contract/${id}.ts`,
        `import * as v from 'valibot';
import { MAX_TEXT } from './limits.ts';
import { languageCode, textField } from './validation.ts';

export const ${variable}Request = v.object({
  text: textField(MAX_TEXT),
  source: languageCode,
  target: languageCode,
});
export type ${type}Request = v.InferOutput<typeof ${variable}Request>;

export const ${variable}Response = v.object({ translation: v.string() });
export type ${type}Response = v.InferOutput<typeof ${variable}Response>;
`,
      ],
      [
        `src/service/${id}.ts`,
        `import type { ${type}Request, ${type}Response } from '../contract/${id}.ts';
import { type TextContext, translateLocally } from './local-texts.ts';

/** Specification: \`POST /v2/${id}\`. */
export async function ${variable}Locally(request: ${type}Request, context: TextContext): Promise<${type}Response> {
  const { translations } = await translateLocally(request, context);
  return { translation: translations.translation };
}
`,
      ],
      [
        `test/service/${id}.test.ts`,
        `import { expect, it } from 'vitest';
import { operations } from '../../src/contract/operations.ts';
import { createEngine } from '../../src/engines/registry.ts';
import { createLocalService } from '../../src/service/local-service.ts';

it('answers the request of its example', async () => {
  const service = createLocalService({ engine: await createEngine('pseudo') });
  const { request } = operations.${variable}.example;
  const answer = await service.${variable}(request, { signal: new AbortController().signal });
  expect(answer).toEqual({ translation: 'Ĥéļļö' });
});
`,
      ],
    ]),
  linesOf: ({ id, variable }) => [
    {
      file: 'src/contract/operations.ts',
      before: /import \{ accountSummary/,
      line: `import { ${variable}Request, ${variable}Response } from './${id}.ts';\n`,
    },
    {
      file: 'src/contract/operations.ts',
      before: / {2}detectLanguage: \{/,
      line: `  ${variable}: {
    ...post,
    path: '/v2/${id}',
    request: ${variable}Request,
    response: ${variable}Response,
    topic: 'Texts',
    summary: 'Translate a text: an example to edit',
    description: 'Placeholders in the text stay as they are.',
    example: example({ text: 'Hello', source: 'en', target: 'fr' }, { translation: 'Bonjour' }),
  },
`,
    },
    {
      file: 'src/service/local-service.ts',
      before: /import \{ detectLocally/,
      line: `import { ${variable}Locally } from './${id}.ts';\n`,
    },
    {
      file: 'src/service/local-service.ts',
      before: / {2}async detectLanguage\(request/,
      line: `  ${variable}: ${variable}Locally,\n`,
    },
  ],
  next: 'npx prettier --write src/service src/contract && npm run typecheck && npx vitest run --project short test/service test/contract test/client/connect.test.ts test/client/remote-contract.test.ts test/server/{app,body,log-redaction,openapi}.test.ts test/docs test/architecture',
};
