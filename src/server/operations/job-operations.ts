import { create as attachment } from 'content-disposition';
import { DragomanError } from '../../base/errors.ts';
import { operations } from '../../contract/operations.ts';
import { validate } from '../../contract/validation.ts';
import { BUILT_IN_FORMATS } from '../../formats/registry.ts';
import type { JobFile, JobService } from '../../service/service.ts';
import { answerJson } from '../http/answer.ts';
import type { PreparedCall, PrepareRequest } from './prepared.ts';
import { UploadedForm } from '../http/upload-form.ts';

/**
 * The account's jobs. They reserve and charge their own credits, because a job outlives the request that created it.
 */
function onJobs(
  perform: (jobs: JobService, call: PreparedCall, jobId: string) => Promise<object>,
): PrepareRequest {
  return () => ({
    cost: 0,
    perform: async (call) => {
      const jobs = call.parts.jobs.of(call.caller.accountId);
      return { answer: await perform(jobs, call, call.context.req.param('job_id') ?? ''), charge: 0 };
    },
  });
}

/** The status was already sent, so only closing the connection can show that something is missing. */
function cutOff({ parts, context }: PreparedCall, err: unknown): boolean {
  const { method, path } = operations.downloadJob;
  parts.log.error({ err, route: `${method} ${path}` }, 'a download was cut off');
  const incoming = context.env.incoming;
  incoming?.socket.destroy();
  return incoming !== undefined;
}

export const jobOperations = {
  createJob: (carried, call) => {
    if (!(carried instanceof UploadedForm)) throw new DragomanError('internal', 'a job without a form');
    const { fields, file } = carried;
    const request = validate(operations.createJob.request, fields);
    return onJobs((jobs, { signal }) => jobs.createJob(request, file, { signal }))(carried, call);
  },

  listJobs: (carried, outer) => {
    const { limit, cursor } = validate(operations.listJobs.request, carried);
    return onJobs(async (jobs, { signal, parts }) => {
      let more: string | undefined;
      const page = { limit: limit === undefined ? undefined : Number(limit), cursor };
      const list = await jobs.listJobs({ ...page, signal, onMore: (next) => (more = next) });
      if (more === undefined) return list;
      const query = new URLSearchParams({ ...(limit !== undefined && { limit }), cursor: more });
      const next = `${parts.options.publicUrl()}${operations.listJobs.path}?${query.toString()}`;
      return answerJson(operations.listJobs.status, list, { link: `<${next}>; rel="next"` });
    })(carried, outer);
  },

  jobStatus: onJobs((jobs, { signal }, id) => jobs.jobStatus(id, { signal })),

  downloadJob: (carried, outer) => {
    const request = validate(operations.downloadJob.request, carried);
    return onJobs(async (jobs, call, id) => {
      const file = await jobs.downloadJob(id, request, { signal: call.signal });
      return answerFile(file, (error) => cutOff(call, error));
    })(carried, outer);
  },

  deleteJob: onJobs((jobs, { signal }, id) => jobs.deleteJob(id, { signal })),
} satisfies Readonly<Record<string, PrepareRequest>>;

/**
 * Sends a file unchanged, under its name, as a download.
 *
 * @param onFailure called if the file cannot be read to its end; returns whether it cut the connection, because the
 * answer must not look complete
 */
function answerFile({ filename, size, content }: JobFile, onFailure: (error: unknown) => boolean): Response {
  // Without a charset: the file or its format declares it.
  const format = BUILT_IN_FORMATS.ofPath(filename);
  return new Response(streamOf(content, size, onFailure), {
    status: 200,
    headers: {
      'content-type': format?.mediaType ?? 'application/octet-stream',
      'content-disposition': disposition(filename),
      ...(size !== undefined && { 'content-length': String(size) }),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  });
}

/** Always quoted, because many clients look for the quotes. */
function disposition(filename: string): string {
  return attachment(filename.toWellFormed()).replace(/filename=([^";]+)/, 'filename="$1"');
}

/**
 * A stream that stops reading the file when the client leaves. A file whose size differs from the header is a failure:
 * its excess bytes would be read as the next answer on the connection.
 */
function streamOf(
  content: AsyncIterable<Uint8Array>,
  size: number | undefined,
  onFailure: (error: unknown) => boolean,
): ReadableStream<Uint8Array> {
  const iterator = content[Symbol.asyncIterator]();
  let sent = 0;
  const requireSize = (isOver: boolean): void => {
    if (size !== undefined && (isOver ? sent !== size : sent > size))
      throw new DragomanError('integrity', `a file does not have the ${size} bytes that the store names`);
  };
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    try {
      const { done, value } = await iterator.next();
      sent += value?.length ?? 0;
      requireSize(done === true);
      if (done === true) controller.close();
      else controller.enqueue(value);
    } catch (error) {
      await iterator.return?.().catch(() => undefined);
      // Cutting the connection already cancels this stream.
      if (!onFailure(error)) controller.error(error);
    }
  };
  const cancel = async (): Promise<void> => {
    await iterator.return?.();
  };
  // Reads nothing until the stream is read: the answer to HEAD has no body.
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
}
