import type { Engine, EngineRequest } from './engine.ts';

/** What of a request engines make use of that are asked in turn: whatever one of them does. */
export function usesOf(engines: readonly Engine[]): NonNullable<Engine['uses']> {
  return {
    hints: engines.some(({ uses }) => uses?.hints === true),
    similar: engines.some(({ uses }) => uses?.similar === true),
    terms: engines.some(({ uses }) => uses?.terms === true),
  };
}

/** The request without what the engine makes no use of. */
export function requestFor({ uses }: Engine, request: EngineRequest): EngineRequest {
  const { hints, terms, ...rest } = request;
  return { ...rest, ...(uses?.hints && { hints }), ...(uses?.terms && { terms }) };
}

/** The same request for some of its texts, which keep their hints. */
export function requestOf(request: EngineRequest, indices: readonly number[]): EngineRequest {
  const { texts, hints } = request;
  return {
    ...request,
    texts: indices.map((i) => texts[i] ?? ''),
    ...(hints && { hints: indices.map((i) => hints[i]) }),
  };
}
