/** pgpass ships no types. */
declare module 'pgpass' {
  interface Place {
    readonly host: string;
    readonly port: number;
    readonly user: string | undefined;
    readonly database: string | undefined;
  }
  /** Calls back with undefined if the file has no matching password, or if others can read the file. */
  export default function readPassword(place: Place, callBack: (password: string | undefined) => void): void;
}
