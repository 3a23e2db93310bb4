import type { Faults } from '../../database.ts';

const examplesMax = 5;

export const noFaults: Faults = { count: 0, examples: [] };

/** Counts faults by their descriptions, and takes the first few as examples. */
export function faultsOf(descriptions: readonly string[]): Faults {
  return { count: descriptions.length, examples: descriptions.slice(0, examplesMax) };
}
