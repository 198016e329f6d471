import { Hono } from 'hono';
import { DragomanError } from '../base/errors.ts';
import { operations, OPERATION_IDS, type Operation, type OperationId } from '../contract/operations.ts';
import { answerJson } from './http/answer.ts';
import { BodyMemory } from './guards/body-memory.ts';
import { answerRequest, type ExchangeRoute } from './operations/exchange.ts';
import { Health } from './operations/health.ts';
import { InFlight } from './guards/in-flight.ts';
import { jobOperations } from './operations/job-operations.ts';
import { handlerOf } from './operations/operation.ts';
import type { AppContext, AppEnvironment, AppDependencies } from './http/dependencies.ts';
import type { PrepareRequest } from './operations/prepared.ts';
import { pagesOf, type ServedPage } from './operations/pages.ts';
import { Refusal } from './guards/refusal.ts';
import { SDK_PATHS } from './operations/sdk-paths.ts';
import { serviceOperations } from './operations/service-operations.ts';

const performers: Readonly<Record<string, PrepareRequest>> = { ...serviceOperations, ...jobOperations };

/** The handlers of operations, except health, which belongs to no account. */
function performerOf(id: OperationId): PrepareRequest {
  const prepare = performers[id];
  if (prepare) return prepare;
  throw new DragomanError('internal', `no handler for the operation ${id}`);
}

type Handler = (context: AppContext) => Promise<Response>;

/** A path of the server with its methods. */
interface Route {
  readonly method: string;
  /** As in the specification; `{job_id}` is a UUID. */
  readonly path: string;
  readonly handle: Handler;
}

/**
 * The HTTP interface of the specification: one route per row of the operations table, and JSON errors for everything
 * else. It opens and closes no resources.
 */
export function createApp(parts: AppDependencies): Hono<AppEnvironment> {
  const app = new Hono<AppEnvironment>();
  const routes = [...operationRoutes(parts), ...pagesOf(parts).map((page) => pageRoute(parts, page))];
  for (const path of new Set(routes.map((route) => route.path))) {
    const handle = handlerOfPath(
      parts,
      path,
      routes.filter((route) => route.path === path),
    );
    // In Hono's notation.
    app.all(path.replaceAll(/\{(\w+)\}/g, ':$1'), handle);
  }
  app.notFound((context) =>
    refuse(parts, context, { name: 'unmatched', isUnknown: true }, new Refusal(404, 'there is no such path')),
  );
  return app;
}

function* operationRoutes(parts: AppDependencies): Generator<Route> {
  const { inFlight = new InFlight(parts.options.maxConcurrency), memory = new BodyMemory() } = parts;
  const shared = { inFlight, memory };
  for (const id of OPERATION_IDS) {
    const { method, path, key }: Operation = operations[id];
    if (id === 'health') yield { method, path, handle: healthHandler(parts) };
    else if (key) {
      const handle = handlerOf(parts, shared, { id, key, prepare: performerOf(id) });
      yield { method, path, handle };
    }
  }
  if (!parts.options.sdkPaths) return;
  for (const { id, method, path, prepare = performerOf(id) } of SDK_PATHS)
    yield {
      method,
      path,
      handle: handlerOf(parts, shared, { id, key: operations[id].key, prepare, isLenient: true }),
    };
}

function pageRoute(parts: AppDependencies, { path, render }: ServedPage): Route {
  const name = `GET ${path}`;
  return {
    method: 'GET',
    path,
    handle: (context) => answerRequest(parts, context, { name }, ({ headers }) => render(headers)),
  };
}

function healthHandler(parts: AppDependencies): Handler {
  const health = new Health(parts);
  const operation = operations.health;
  const route = { name: `${operation.method} ${operation.path}`, operation };
  return (context) =>
    answerRequest(parts, context, route, async ({ headers }) => {
      const { isServing, report } = await health.ask();
      return isServing
        ? answerJson(operation.status, report, headers)
        : answerJson(503, report, { ...headers, 'retry-after': '1' });
    });
}

/**
 * Answers all methods of a path in one handler: with one handler per method, Hono would run a chain for every request.
 * HEAD is answered like GET, without the body.
 */
function handlerOfPath(parts: AppDependencies, path: string, routes: readonly Route[]): Handler {
  const handlers = new Map(routes.map(({ method, handle }) => [method, handle]));
  const get = handlers.get('GET');
  if (get) handlers.set('HEAD', get);
  const allow = [...handlers.keys()].join(', ');
  const refusal = new Refusal(405, `this path accepts ${allow} only`, { allow });
  return (context) => {
    const handle = handlers.get(context.req.raw.method);
    return handle ? handle(context) : refuse(parts, context, { name: path }, refusal);
  };
}

function refuse(
  parts: AppDependencies,
  context: AppContext,
  route: ExchangeRoute,
  refusal: Refusal,
): Promise<Response> {
  return answerRequest(parts, context, route, () => Promise.reject(refusal));
}
