import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { DragomanError } from '../../base/errors.ts';

/**
 * The start of a page of jobs, as clients see it. Rows are numbered across all accounts, so a plain number would reveal
 * how many jobs others have. It is one block, encrypted with a key of the account: of its 16 bytes, 8 are the number,
 * and the others identify a cursor of this account.
 */
const CIPHER = 'aes-256-ecb';
const MARK = Buffer.from('jobs\0\0\0\0');
const CURSOR = /^[\w-]{22}$/;

/** @param secret of the account */
export function writeCursor(secret: string, place: number): string {
  const block = Buffer.alloc(16);
  MARK.copy(block);
  block.writeBigUInt64BE(BigInt(place), MARK.length);
  const cipher = createCipheriv(CIPHER, keyOf(secret), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(block), cipher.final()]).toString('base64url');
}

/** @throws DragomanError `invalid_request` for anything else than a cursor of this account */
export function readCursor(secret: string, cursor: string): number {
  if (!CURSOR.test(cursor)) throw notACursor();
  const decipher = createDecipheriv(CIPHER, keyOf(secret), null).setAutoPadding(false);
  const block = Buffer.concat([decipher.update(Buffer.from(cursor, 'base64url')), decipher.final()]);
  if (!block.subarray(0, MARK.length).equals(MARK)) throw notACursor();
  return Number(block.readBigUInt64BE(MARK.length));
}

function keyOf(secret: string): Buffer {
  return createHmac('sha256', secret).update('cursor of a page of jobs').digest();
}

/** Also for the numbers that earlier versions used. */
function notACursor(): DragomanError {
  return new DragomanError(
    'invalid_request',
    'cursor must be that of an earlier page: take it from the header Link, or begin with the first page',
  );
}
