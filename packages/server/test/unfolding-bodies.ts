const bytes = 16 * 1024;
const levels = '['.repeat(64);

/** Small bodies that become hundreds of times as long where every value has a line of its own. */
export const unfoldingBodies: readonly (readonly [label: string, body: string])[] = [
  ['64 open lists and commas', levels.padEnd(bytes, ',')],
  ['open lists', '['.repeat(bytes)],
  ['64 open lists and further lists', levels.padEnd(bytes, '[1]')],
];
