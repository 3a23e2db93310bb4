import { readCutShort } from '@fieldroster/contract/problems';
import type { OwnResult } from '../../api/call.ts';
import type { Texts } from '../../i18n/texts.ts';
import { callLacksValues } from './withheld-values.ts';

type Call = Pick<NonNullable<OwnResult<'queryFailedCall'>['call']>, 'message' | 'strings_to_sign'>;

/** Says why a wrong signature has no known cause, and what the cause may be then. */
export function sayNoCause(
  { searchCutShort, noCause, noCauseWithBody, noCauseWithoutValues }: Texts['requests'],
  call: Call,
): string {
  const cutShort = readCutShort(call.message);
  if (cutShort !== undefined) return searchCutShort[cutShort];
  if (hasBody(call)) return noCauseWithBody;
  return callLacksValues(call) ? noCauseWithoutValues : noCause;
}

/** Returns whether a digest of the body was signed, so that a changed body may be the cause. */
function hasBody({ strings_to_sign: strings }: Call): boolean {
  return strings.some((lines) => lines.some(({ name }) => name === 'Content-MD5'));
}
