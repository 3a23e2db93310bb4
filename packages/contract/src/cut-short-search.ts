/** Why the search for the mistake behind a wrong signature ran out of time: it was long itself, or others had used up the time. */
export type CutShort = 'long' | 'others';

/** The words by which answers and records say that the search was cut short. */
export const cutShortSearch: Readonly<Record<CutShort, string>> = {
  others:
    'the search for a known mistake was cut short, because other wrong signatures of the same second had used up its time',
  long: 'the search for a known mistake took too long and was cut short',
};

/** Reads from an answer or a record why the search was cut short; `undefined` if it was not. */
export function readCutShort(message: string): CutShort | undefined {
  return (['others', 'long'] as const).find((why) => message.includes(cutShortSearch[why]));
}
