import type { DragomanError } from '../base/errors.ts';

/** Texts of error bodies that are not an error's own message. */

export const JOB_NOT_FOUND = 'job not found';
export const KEY_DETAILS = {
  missing: 'the X-API-KEY header is required',
  invalid: 'the API key is invalid',
  revoked: 'the API key was revoked or has expired and is no longer valid',
} as const;

/** @param sent the header name from the client, which differs from the key header only in case */
export function keyHeaderCase(sent: string): string {
  return `${KEY_DETAILS.missing}: the header was sent as ${sent}, but its name is case-sensitive; a server that is started with --any-case-key-header accepts it`;
}

const INTERNAL = 'internal server error';

export function insufficientCredits(remaining: number, required: number | string): string {
  return `insufficient credits: ${remaining} remaining, ${required} required`;
}

export function rateLimited(made: number, maximum: number, retrySeconds: number): string {
  return `rate limit exceeded: ${made} requests made, the maximum is ${maximum} per minute; try again in ${retrySeconds} seconds`;
}

export function fileNotFound(code: string): string {
  return `no translated file for the language ${code} was found`;
}

/**
 * The detail of an error in an answer. For an unsupported language, it lists the supported ones. It never reveals a bug
 * in the program.
 */
export function detailOf({ code, message, hint }: DragomanError): string {
  if (code === 'internal') return INTERNAL;
  return code === 'unsupported_language' && hint !== undefined ? `${message}; ${hint}` : message;
}
