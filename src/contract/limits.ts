/** Limits of the specification. Lengths count Unicode code points. */

/** `text` of translate and detect, `subject` of email. */
export const MAX_TEXT = 5_000;
/** Entries of `texts` in a batch. */
export const MAX_TEXTS = 100;
export const MAX_HTML = 50_000;
export const MAX_EMAIL_BODY = 150_000;
/** The specification says 10MB. A file of exactly this size is still accepted. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;
export const MAX_TARGET_LANGUAGES = 50;

/** Jobs in one answer of the list: a limit of this program. */
export const MAX_LISTED_JOBS = 1_000;

export const WEBHOOK_TIMEOUT_MS = 10_000;
export const WEBHOOK_RETRIES = 3;

/** Requests per key in a window of {@link RATE_WINDOW_MS}. */
export const RATE_LIMIT = 60;
export const RATE_WINDOW_MS = 60_000;
