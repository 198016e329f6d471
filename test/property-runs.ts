/** The number of examples for a property: `npm run test:long` tries all of them, `npm test` the first quarter. */
export function runs(all: number): number {
  return process.env['PROPERTY_RUNS'] === 'all' ? all : Math.ceil(all / 4);
}
