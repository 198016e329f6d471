import * as v from 'valibot';
import { count, timestamp } from './validation.ts';

const percentage = v.pipe(v.number(), v.minValue(0, 'cannot be negative'));

export const accountSummary = v.object({
  email: v.string(),
  full_name: v.string(),
  total_credits: count,
  credits_used: count,
  credits_remaining: count,
  credits_percentage: percentage,
  concurrency: v.optional(count),
  effective_concurrency: v.optional(count),
  summary: v.object({
    total_requests: count,
    successful_requests: count,
    failed_requests: count,
    success_rate: percentage,
  }),
});
export type AccountSummary = v.InferOutput<typeof accountSummary>;

/** `engines` and `detail` are additions: the available engines, and why requests cannot be answered. */
export const healthReport = v.object({
  status: v.string(),
  timestamp,
  detail: v.optional(v.string()),
  engines: v.optional(v.array(v.object({ id: v.string(), ready: v.boolean(), detail: v.string() }))),
});
export type HealthReport = v.InferOutput<typeof healthReport>;

export const HEALTHY = 'healthy';
