/** This program's own unit properties. With them, a unit that is read back is the same as the written one. */
export const PROPERTIES = {
  /** The key, as a JSON array. */
  context: 'x-dragoman-context',
  /** The names of the placeholders in order, as a JSON array. Identifies units written by this program. */
  placeholders: 'x-dragoman-placeholders',
  /** The plural category of a form. */
  category: 'x-dragoman-category',
  origin: 'x-dragoman-origin',
  engine: 'x-dragoman-engine',
  /** The date with milliseconds, to find the latest of several translations made in one second. */
  changed: 'x-dragoman-changed',
} as const;

/** The type of the element between the segments of one message: the branches of a plural share a unit. */
export const SEGMENT_END = 'x-dragoman-segment';
