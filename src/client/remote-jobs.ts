import { parse } from 'content-disposition';
import { DragomanError } from '../base/errors.ts';
import { is } from 'valibot';
import { JOB_NOT_FOUND } from '../contract/details.ts';
import { uuid, validate } from '../contract/validation.ts';
import type { DownloadRequest } from '../contract/jobs.ts';
import { operations } from '../contract/operations.ts';
import type { JobCallOptions, JobFile, JobService } from '../service/service.ts';
import { transferMs, type ServiceCaller } from './caller.ts';
import type { OpenResponse } from './exchange.ts';
import { violation } from './failures.ts';
import { absentOperation } from './legacy-texts.ts';
import { createMultipart } from './multipart.ts';
import { callOperation } from './operation-caller.ts';
import { headerOf, type TransportResponse } from '../base/http/transport.ts';

/** Far larger than any translation of a 10 MB source. */
const MAX_DOWNLOAD_BYTES = 256 * 1024 * 1024;

/** The job operations with a service of version 2. */
export function createRemoteJobs(caller: ServiceCaller): JobService {
  const service: JobService = {
    createJob: async (request, file, { signal }) => {
      const body = await createMultipart({ ...validate(operations.createJob.request, request) }, file);
      return callOperation(caller, 'createJob', { body, signal });
    },
    listJobs: ({ signal }) => callOperation(caller, 'listJobs', { signal }),
    jobStatus: async (id, { signal }) => callOperation(caller, 'jobStatus', { jobId: requireId(id), signal }),
    downloadJob: async (id, request, options) => {
      const jobId = requireId(id);
      const file = await download(caller, jobId, request, options);
      if (file.filename !== undefined) return { ...file, filename: file.filename };
      // Closes the file, because another request may need the connection.
      await file.content[Symbol.asyncIterator]().return?.();
      const { original_filename } = await service.jobStatus(jobId, options);
      const again = await download(caller, jobId, request, options);
      return { ...again, filename: nameTranslation(original_filename, request.language_code) };
    },
    deleteJob: async (id, { signal }) => {
      const whenGone = { message: 'the job is deleted' };
      return callOperation(caller, 'deleteJob', { jobId: requireId(id), signal, whenGone });
    },
  };
  return service;
}

/** Only a job id may become a part of a path. */
function requireId(id: string): string {
  if (is(uuid, id)) return id;
  throw new DragomanError('not_found', JOB_NOT_FOUND);
}

/** Version 1 has no jobs. */
export function createLegacyJobs(): JobService {
  const no = (): Promise<never> => absentOperation('i18n jobs');
  return { createJob: no, listJobs: no, jobStatus: no, downloadJob: no, deleteJob: no };
}

type Download = Omit<JobFile, 'filename'> & { readonly filename: string | undefined };

function download(
  caller: ServiceCaller,
  jobId: string,
  request: DownloadRequest,
  { signal }: JobCallOptions,
): Promise<Download> {
  const operation = operations.downloadJob;
  const query = validate(operation.request, request);
  return caller<Download>({ operation, jobId, query, signal }, (answer) => Promise.resolve(openFile(answer)));
}

function openFile(answer: OpenResponse): Download {
  const { response, place } = answer;
  const { status } = response;
  const length = headerOf(response, 'content-length');
  const size = length === undefined ? undefined : Number(length);
  if (size !== undefined && !(size <= MAX_DOWNLOAD_BYTES)) {
    throw violation(place, `a file of ${length ?? ''} bytes`, { status }).error;
  }
  if ((headerOf(response, 'content-encoding') ?? 'identity') !== 'identity') {
    throw violation(place, 'the file is compressed, which the request did not allow', { status }).error;
  }
  return { filename: nameOf(response), size, content: contentOf(answer, size) };
}

/** Streams the bytes. A truncated file throws. */
function contentOf(answer: OpenResponse, size: number | undefined): AsyncIterable<Uint8Array> {
  const done = answer.keepOpen(transferMs(size ?? MAX_DOWNLOAD_BYTES));
  const chunks = readChunks(answer, size);
  const iterator: AsyncIterator<Uint8Array> = {
    next: async () => {
      try {
        const result = await chunks.next();
        if (result.done === true) done();
        return result;
      } catch (error) {
        const explained = answer.explain(error);
        done();
        throw explained;
      }
    },
    // A generator that was never started would skip its cleanup.
    return: async () => {
      done();
      await chunks.return();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

async function* readChunks(
  { response, place }: OpenResponse,
  size: number | undefined,
): AsyncGenerator<Uint8Array, void, void> {
  const max = size ?? MAX_DOWNLOAD_BYTES;
  let read = 0;
  for await (const chunk of response.body) {
    read += chunk.length;
    if (read > max) throw violation(place, `the file has more than ${max} bytes`).error;
    yield chunk;
  }
  if (size === undefined || read === size) return;
  throw new DragomanError('answer_lost', `the file ended after ${read} of ${size} bytes`, {
    hint: 'Download it again.',
  });
}

/** Chosen by the service and not validated. */
function nameOf(response: TransportResponse): string | undefined {
  const header = headerOf(response, 'content-disposition');
  if (header === undefined) return undefined;
  const name = parse(header).parameters['filename'];
  return name === '' ? undefined : name;
}

/** Follows the specification's pattern, if the answer has no name. */
function nameTranslation(original: string, code: string): string {
  const dot = original.lastIndexOf('.');
  return dot < 1 ? `${original}_${code}` : `${original.slice(0, dot)}_${code}${original.slice(dot)}`;
}
