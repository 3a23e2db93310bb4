import type { Problem } from '@fieldroster/contract/problems';
import type { OperatorReader } from '../../database/database.ts';
import { findInvisible } from '../../directory/invisible-character.ts';

/** Soft hyphen, line separators, and letters of Hangul and Mongolian that are drawn as nothing. */
const drawnAsNothing = [0xad, 0x2028, 0x2029, 0x115f, 0x1160, 0x180e, 0x3164, 0xffa0];

/** Returns what is wrong with a new operator's name that could pass for another one, or `undefined` for a plain one. */
export function invisibleInOperatorName(name: string): Problem | undefined {
  const character = findInvisible(name, drawnAsNothing);
  return character === undefined ? undefined : { key: 'invisibleInOperator', values: { character } };
}

/**
 * Returns the name of another operator that is easily taken for this one: it differs only in case, in
 * characters that are drawn as nothing, or in compatible forms of the same characters. Letters that look alike in other
 * scripts are not compared.
 */
export async function findOperatorTwin(
  operators: Pick<OperatorReader, 'list'>,
  name: string,
): Promise<string | undefined> {
  const names = (await operators.list()).map(({ username }) => username);
  return names.find((other) => other !== name && plain(other) === plain(name));
}

function plain(name: string): string {
  // Joiners belong to the spelling of some names, but nobody sees them.
  return name
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .toLowerCase();
}
