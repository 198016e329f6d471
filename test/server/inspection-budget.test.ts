import { expect, it, onTestFinished } from 'vitest';
import { expectError } from './specification/answer.ts';
import { JOBS } from './specification/client.ts';
import { startServer } from './specification/server.ts';

it('uploads of an account that used up its inspection time get 429, while other accounts’ uploads are read', async () => {
  // Each upload takes longer than a millisecond.
  const server = await startServer({ limits: { inspectionBudget: { ms: 1, windowMs: 60_000 } } });
  onTestFinished(() => server.close());
  const [eve, anna] = [await server.newClient({ credits: 100 }), await server.newClient()];
  // Uploads refused after they were read cost nothing but time.
  expectError(await eve.upload({ content: '- a\n'.repeat(20_000), filename: 'a.yaml' }), 402, /./);
  for (const form of [{ content: '{"a": "Hello"}' }, {}]) {
    const refused = await eve.upload(form);
    expectError(
      refused,
      429,
      'reading the uploads of this account took more than 0.001 seconds within 60; try again in 60 seconds',
    );
    expect(refused.headers['retry-after']).toBe('60');
  }
  // This body is not received: otherwise, the server would refuse it because of its length.
  expectError(await eve.upload({ content: 'a'.repeat(10_500_000) }), 429, /^reading the uploads/);
  expect((await eve.get(JOBS)).json).toEqual([]);
  expect(await server.uploads()).toEqual([]);
  expect(await eve.summary()).toMatchObject({ credits_used: 0 });
  // Texts are not uploads.
  expect((await eve.translate()).status).toBe(200);

  expect((await anna.upload()).status).toBe(201);
  server.webhookTime.advance(59_000);
  const late = await eve.upload();
  expectError(late, 429, /try again in 1 seconds$/);
  expect(late.headers['retry-after']).toBe('1');
  server.webhookTime.advance(1_000);
  expect((await eve.upload()).status).toBe(201);
});
