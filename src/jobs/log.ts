/** The log of jobs for the operator. It never contains keys or texts. */
export interface JobLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export const silentLog: JobLog = { info: () => undefined, warn: () => undefined, error: () => undefined };
