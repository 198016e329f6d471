import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of the browser; undefined if there is none. */
export function chromiumPath(): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((directory) =>
      ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(directory, name)),
    )
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
