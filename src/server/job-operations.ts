import { DragomanError } from '../base/errors.ts';
import { operations } from '../contract/operations.ts';
import { validate } from '../contract/validation.ts';
import type { JobService } from '../service/jobs.ts';
import { answerFile } from './download.ts';
import type { Call, Prepare } from './prepared.ts';
import { UploadedForm } from './upload-form.ts';

/** The account's jobs. Their credits are theirs to reserve and charge: a job outlives the request that made it. */
function onJobs(perform: (jobs: JobService, call: Call, jobId: string) => Promise<object>): Prepare {
  return () => ({
    cost: 0,
    perform: async (call) => {
      const jobs = call.parts.jobs.of(call.caller.accountId);
      return { answer: await perform(jobs, call, call.context.req.param('job_id') ?? ''), charge: 0 };
    },
  });
}

/** The status was sent already: only the connection can still say that something is missing. */
function cutOff({ parts, context }: Call, err: unknown): boolean {
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

  listJobs: onJobs((jobs, { signal }) => jobs.listJobs({ signal })),

  jobStatus: onJobs((jobs, { signal }, id) => jobs.jobStatus(id, { signal })),

  downloadJob: (carried, outer) => {
    const request = validate(operations.downloadJob.request, carried);
    return onJobs(async (jobs, call, id) => {
      const file = await jobs.downloadJob(id, request, { signal: call.signal });
      return answerFile(file, (error) => cutOff(call, error));
    })(carried, outer);
  },

  deleteJob: onJobs((jobs, { signal }, id) => jobs.deleteJob(id, { signal })),
} satisfies Readonly<Record<string, Prepare>>;
