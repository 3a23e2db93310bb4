import { bodyMistakes } from './body-mistakes.ts';
import { charsetMistakes } from './charset-mistakes.ts';
import { keyMistakes } from './key-mistakes.ts';
import { layoutMistakes, timestampMilliseconds } from './layout-mistakes.ts';
import { besides, type Mistake } from './mistake.ts';
import { queryMistakes } from './query-mistakes.ts';
import { formMistakes } from './signature-forms.ts';

const mistakes: readonly Mistake[] = [
  ...bodyMistakes,
  ...queryMistakes,
  ...layoutMistakes,
  timestampMilliseconds,
  ...charsetMistakes,
  ...keyMistakes,
  ...formMistakes,
];

const names: ReadonlyMap<string, string> = new Map(mistakes.map(({ name, cause }) => [cause, name]));

/**
 * Returns the names of the mistakes behind a `cause` that was kept, for programs that say it in another language; none
 * if a part of it is not a cause that this release gives.
 */
export function namesOfCause(cause: string): readonly string[] {
  const found = cause.split(besides).map((part) => names.get(part));
  return found.every((name) => name !== undefined) ? found : [];
}
