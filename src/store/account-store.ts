/** The owner of keys and credits. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly fullName: string;
  /** The sum of all grants. */
  readonly granted: number;
  /** Granted minus charged. */
  readonly balance: number;
  /** The part of the balance reserved for pending work: `balance - reserved` can be spent. */
  readonly reserved: number;
  readonly requestsSuccessful: number;
  readonly requestsFailed: number;
  /** Signs the account's webhooks (Standard Webhooks): `whsec_` and base64. Never log it. */
  readonly webhookSecret: string;
  readonly limits: AccountLimits;
  readonly createdAt: number;
}

export interface NewAccount {
  readonly email: string;
  readonly fullName: string;
  /** The initial credits; 0 for none. */
  readonly credits: number;
  /** When its key expires, in milliseconds since the epoch. Default: never. */
  readonly expiresAt?: number | undefined;
}

/** Only this object has the key: the store keeps its hash. */
export interface CreatedAccount {
  readonly account: Account;
  readonly key: string;
}

/** The charges of one operation to an account within a period. */
export interface AccountUsage extends Pick<Account, 'email' | 'fullName'> {
  readonly operation: string;
  readonly credits: number;
  /** The number of charged requests and parts of jobs. */
  readonly charges: number;
}

/** The part of a key that may be shown; only its owner knows the key itself. */
export interface KeyInfo {
  readonly id: string;
  /** The first characters of the key, to distinguish keys. */
  readonly prefix: string;
  readonly createdAt: number;
  /** When the key was revoked; undefined if it was not. */
  readonly revokedAt?: number;
  /** When the key expires; undefined if it does not. */
  readonly expiresAt?: number;
}

/** The limits of an account; undefined for none. */
export interface AccountLimits {
  readonly jobs?: number | undefined;
  /** Total size of its jobs' files, including translations. */
  readonly bytes?: number | undefined;
  /** Maximum concurrent requests of each key, if lower than the server's limit. */
  readonly concurrency?: number | undefined;
}

/** Operations on an address without an account throw DragomanError `not_found`, with a suggestion. */
export interface AccountStore {
  /**
   * Creates an account with its first key.
   *
   * @throws DragomanError `usage` if the address already has an account, or the credits are invalid
   */
  create(account: NewAccount): Promise<CreatedAccount>;
  /** Like {@link create}, for several accounts in one transaction, in order. */
  createAll(accounts: readonly NewAccount[]): Promise<readonly CreatedAccount[]>;
  find(id: string): Promise<Account | undefined>;
  require(email: string): Promise<Account>;
  /** All accounts with all their keys, including revoked ones, in order of creation. */
  list(): Promise<readonly (Account & { readonly keys: readonly KeyInfo[] })[]>;
  /**
   * Adds credits.
   *
   * @throws DragomanError `usage` if `amount` is not a non-negative integer or too large, or if no key of the account
   * is valid
   */
  grant(email: string, amount: number): Promise<Account>;
  /** Changes the given limits of the account. `null` removes a limit. */
  limit(
    email: string,
    limits: { readonly [K in keyof AccountLimits]: number | null | undefined },
  ): Promise<Account>;
  /**
   * Revokes all keys of an account and returns a new one, which cannot be shown again.
   *
   * @param expiresAt when the new key expires; default: never
   */
  resetKey(email: string, expiresAt?: number): Promise<string>;
  /** Revokes all keys of an account, and returns how many were valid. */
  revokeKeys(email: string): Promise<number>;
  /** The charges within a period (`until` excluded), by account address and operation. */
  usage(time: { readonly from: number; readonly until: number }): Promise<readonly AccountUsage[]>;
}
