/** Where the jobs say what an operator should know. Neither keys nor texts are ever in it. */
export interface JobLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export const silentLog: JobLog = { info: () => undefined, warn: () => undefined, error: () => undefined };
