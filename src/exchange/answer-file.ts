import * as v from 'valibot';
import { DragomanError } from '../base/errors.ts';
import { answerFileSchema } from '../review/protocol.ts';
import type { ReturnedRow } from './returned-row.ts';

/**
 * The answers in a file from the review page.
 *
 * @throws DragomanError `unreadable_input` for other files
 */
export function readAnswerFile(text: string): readonly ReturnedRow[] {
  const { project, answers } = parse(text);
  return answers.map(({ id, sourceHashes, bases, values, verdict, note }, at) => ({
    place: { name: `answer ${at + 1}` },
    project,
    id,
    forms: sourceHashes.map((source, form) => ({
      form,
      source,
      base: bases[form] ?? '',
      value: values?.[form],
    })),
    verdict,
    // The page starts with the current note, so a decision without one removes it.
    note: verdict === undefined ? note : (note ?? ''),
  }));
}

function parse(text: string): v.InferOutput<typeof answerFileSchema> {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (cause) {
    throw new DragomanError('unreadable_input', `not JSON: ${cause instanceof Error ? cause.message : ''}`, {
      cause,
    });
  }
  const result = v.safeParse(answerFileSchema, data);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = v.getDotPath(issue);
  throw new DragomanError(
    'unreadable_input',
    `not a file with answers from the review page: ${path === null ? '' : `${path}: `}${issue.message}`,
  );
}
