import type { OperatorRecord } from '../../database/database.ts';
import type { ConsoleContext } from '../console-context.ts';

type Needed = Pick<ConsoleContext, 'parts' | 'disconnectSignal'>;

/** A password that somebody typed. */
interface TypedPassword {
  readonly password: string;
  /** In whose turn it is hashed; see `owner-of-turns.ts`. */
  readonly owner: string;
}

export function hashOperatorPassword(
  { password, owner }: TypedPassword,
  { parts, disconnectSignal }: Needed,
): Promise<string> {
  return parts.passwords.hash({ owner, signal: disconnectSignal() }, normalized(password));
}

/** Without an operator it does the same work, so that timing does not reveal which usernames exist. */
export async function matchesOperatorPassword(
  operator: OperatorRecord | undefined,
  { password, owner }: TypedPassword,
  { parts, disconnectSignal }: Needed,
): Promise<boolean> {
  // Earlier releases hashed passwords as they were typed. Check both forms every time, so that timing does not
  // reveal which one matches. For most passwords, they are the same.
  const forms = new Set([normalized(password), password]);
  let matched = false;
  for (const form of forms) {
    const turn = { owner, signal: disconnectSignal() };
    const { matches } = await parts.passwords.verify(turn, form, operator?.passwordHash);
    matched ||= matches;
  }
  return matched;
}

/** Systems send the same letters in different forms, such as é as one character or as e and an accent. */
function normalized(password: string): string {
  return password.normalize('NFKC');
}
