/** Whose keys and credits they are. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly fullName: string;
  /** All that was ever granted. */
  readonly granted: number;
  /** What was granted and not charged. */
  readonly balance: number;
  /** The part of the balance that work under way may cost: `balance - reserved` can be spent. */
  readonly reserved: number;
  readonly requestsSuccessful: number;
  readonly requestsFailed: number;
  /** Signs the account's webhooks (Standard Webhooks): `whsec_` and base64. Never to be logged. */
  readonly webhookSecret: string;
  readonly limits: AccountLimits;
  readonly createdAt: number;
}

export interface NewAccount {
  readonly email: string;
  readonly fullName: string;
  /** Granted at once; 0 for none. */
  readonly credits: number;
  /** When its key becomes invalid, in milliseconds since the epoch. Default: never. */
  readonly expiresAt?: number | undefined;
}

/** The key is given here and never again: only its hash is stored. */
export interface CreatedAccount {
  readonly account: Account;
  readonly key: string;
}

/** What one operation charged an account in some time. */
export interface AccountUsage extends Pick<Account, 'email' | 'fullName'> {
  readonly operation: string;
  readonly credits: number;
  /** Requests and parts of jobs that were charged. */
  readonly charges: number;
}

/** What may be shown of a key. The key itself is known to its owner only. */
export interface KeyInfo {
  readonly id: string;
  /** The first characters of the key, to distinguish keys. */
  readonly prefix: string;
  readonly createdAt: number;
  /** Absent for a key that was not revoked. */
  readonly revokedAt?: number;
  /** From then on the key is refused; absent for a key that does not expire. */
  readonly expiresAt?: number;
}

/** What an account may have here; undefined for any number. */
export interface AccountLimits {
  readonly jobs?: number | undefined;
  /** Of the files of its jobs, translated ones too. */
  readonly bytes?: number | undefined;
  /** Requests of one of its keys in work at once, where that is less than the server allows anyway. */
  readonly concurrency?: number | undefined;
}

/** Operations on an address without an account throw DragomanError `not_found`, with the one that was probably meant. */
export interface AccountStore {
  /**
   * Makes an account with its first key.
   *
   * @throws DragomanError `usage` when the address has an account, or the credits are no amount.
   */
  create(account: NewAccount): Promise<CreatedAccount>;
  /** As {@link create}, all of them or none, in their order. */
  createAll(accounts: readonly NewAccount[]): Promise<readonly CreatedAccount[]>;
  find(id: string): Promise<Account | undefined>;
  require(email: string): Promise<Account>;
  /** All accounts with all their keys, revoked ones too, in the order of their making. */
  list(): Promise<readonly (Account & { readonly keys: readonly KeyInfo[] })[]>;
  /**
   * Adds credits.
   *
   * @throws DragomanError `usage` when `amount` is no whole number of at least 0, or too much, or no key of the account
   *   is valid.
   */
  grant(email: string, amount: number): Promise<Account>;
  /** Limits the account: from now on, and but for what is not named. `null` takes a limit away. */
  limit(
    email: string,
    limits: { readonly [K in keyof AccountLimits]: number | null | undefined },
  ): Promise<Account>;
  /**
   * Revokes all keys of an account and gives it a new one, which is given here and never again.
   *
   * @param expiresAt when the new key becomes invalid; default: never
   */
  resetKey(email: string, expiresAt?: number): Promise<string>;
  /** Revokes all keys of an account, and returns how many were valid until now. */
  revokeKeys(email: string): Promise<number>;
  /** What was charged from a time on and before another one, by the address of the account and by operation. */
  usage(time: { readonly from: number; readonly until: number }): Promise<readonly AccountUsage[]>;
}
