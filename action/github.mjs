// @ts-check
/**
 * The calls to GitHub's API that the action makes. The token comes from the environment and is sent only to
 * GitHub.
 */

import { MARKER } from './report.mjs';

const TIME_LIMIT_MS = 30_000;
/** The limit for a response: a page has 100 comments of at most 64 kB each. */
const MAX_BYTES = 32 * 1024 * 1024;
/** The number of pages that are searched for an earlier comment. */
const MAX_PAGES = 20;

const OWN_COMMENTS = `query ($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      comments(first: 100, after: $after) {
        nodes { databaseId body viewerDidAuthor }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`;

export class GitHub {
  /** @type {string} */ #repository;
  /** @type {string} */ #token;
  /** @type {string} */ #rest;
  /** @type {string} */ #graphql;

  /** @param {{ repository: string, token: string, rest: string, graphql: string }} options */
  constructor({ repository, token, rest, graphql }) {
    this.#repository = repository;
    this.#token = token;
    this.#rest = rest;
    this.#graphql = graphql;
  }

  /**
   * Writes or replaces the comment of this action.
   *
   * @param {number} number of the pull request
   * @param {string} body
   */
  async comment(number, body) {
    const known = await this.#findComment(number);
    if (known === undefined) await this.#call('POST', `issues/${number}/comments`, { body });
    else await this.#call('PATCH', `issues/comments/${known}`, { body });
  }

  /**
   * Opens a pull request, unless the branch has one.
   *
   * @param {{ head: string, base: string, title: string, body: string }} pull
   * @returns {Promise<{ number: number, html_url: string }>}
   */
  async openPull({ head, base, title, body }) {
    const [owner = ''] = this.#repository.split('/');
    const query = new URLSearchParams({ state: 'open', head: `${owner}:${head}`, base });
    const [open] = await this.#call('GET', `pulls?${query.toString()}`);
    return open ?? this.#call('POST', 'pulls', { head, base, title, body });
  }

  /** @param {number} number @returns {Promise<number | undefined>} */
  async #findComment(number) {
    const [owner, name] = this.#repository.split('/');
    let after = null;
    for (let page = 0; page < MAX_PAGES; page++) {
      const variables = { owner, name, number, after };
      const { data } = await this.#request('POST', this.#graphql, { query: OWN_COMMENTS, variables });
      const comments = data?.repository?.pullRequest?.comments;
      const own = comments?.nodes?.find(
        // Other users may also write the marker; their comments are not replaced.
        (/** @type {{ body: string, viewerDidAuthor: boolean }} */ { body, viewerDidAuthor }) =>
          viewerDidAuthor && body.startsWith(MARKER),
      );
      if (own) return own.databaseId;
      if (comments?.pageInfo?.hasNextPage !== true) return undefined;
      after = comments.pageInfo.endCursor;
    }
    return undefined;
  }

  /** @param {string} method @param {string} path below the repository @param {object} [body] */
  #call(method, path, body) {
    return this.#request(method, `${this.#rest}/repos/${this.#repository}/${path}`, body);
  }

  /** @param {string} method @param {string} address @param {object} [body] @returns {Promise<any>} */
  async #request(method, address, body) {
    const response = await fetch(address, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        accept: 'application/vnd.github+json',
        'content-type': 'application/json',
        'user-agent': 'dragoman',
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    });
    const text = await readBounded(response);
    const path = new URL(address).pathname;
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`);
    return JSON.parse(text);
  }
}

/** @param {Response} response */
async function readBounded(response) {
  const chunks = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`GitHub sent a response of more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
