import type { Problem } from '@fieldroster/contract/problems';
import { findInvisible, lineSeparators } from './invisible-character.ts';

/**
 * Returns what is wrong with the name of a new application that could pass for another one, or `undefined` for a plain
 * one.
 */
export function invisibleInApplicationName(name: string): Problem | undefined {
  const character = findInvisible(name, lineSeparators);
  return character === undefined ? undefined : { key: 'invisibleInApplication', values: { character } };
}
