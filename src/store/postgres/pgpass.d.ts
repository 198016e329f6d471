/** pgpass has no types of its own. */
declare module 'pgpass' {
  interface Place {
    readonly host: string;
    readonly port: number;
    readonly user: string | undefined;
    readonly database: string | undefined;
  }
  /** Calls back with undefined where the file has no password for the place, or others could read it. */
  export default function readPassword(place: Place, callBack: (password: string | undefined) => void): void;
}
