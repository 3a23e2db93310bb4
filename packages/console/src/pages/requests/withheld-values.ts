import { lacksValues } from '@fieldroster/contract/problems';
import type { OwnResult } from '../../api/call.ts';

type Call = NonNullable<OwnResult<'queryFailedCall'>['call']>;

/** Withheld values can make two strings look the same; returns each only once. */
export function differentStrings({
  strings_to_sign,
}: Pick<Call, 'strings_to_sign'>): Call['strings_to_sign'] {
  const texts = strings_to_sign.map(textOf);
  return strings_to_sign.filter((_, index) => texts.indexOf(texts[index] ?? '') === index);
}

/** Returns whether a string to sign of the call lacks values that are not recorded. */
export function callLacksValues({ strings_to_sign }: Pick<Call, 'strings_to_sign'>): boolean {
  return strings_to_sign.some((lines) => lacksValues(textOf(lines)));
}

/** The whole text, which tells one string to sign from another. */
export function textOf(lines: Call['strings_to_sign'][number]): string {
  return lines.map(({ text }) => text).join('\n');
}
