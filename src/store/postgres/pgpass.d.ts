/** pgpass ships no types. */
declare module 'pgpass' {
  interface Place {
    readonly host: string;
    readonly port: number;
    readonly user: string | undefined;
    readonly database: string | undefined;
  }
  /** Calls back with undefined if the file has no password for the place, or others can read it. */
  export default function readPassword(place: Place, callBack: (password: string | undefined) => void): void;
}
