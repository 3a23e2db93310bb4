import type { OperatorRecord } from '../../database/database.ts';
import type { PasswordOwner } from '../../passwords/password-hasher.ts';
import type { ConsoleContext } from '../console-context.ts';

type Needed = Pick<ConsoleContext, 'parts' | 'disconnectSignal'>;

export function hashOperatorPassword(password: string, { parts, disconnectSignal }: Needed): Promise<string> {
  return parts.passwords.hash(passwordOwner(disconnectSignal), normalized(password));
}

/** Without an operator it does the same work, so that timing does not reveal which usernames exist. */
export async function matchesOperatorPassword(
  operator: OperatorRecord | undefined,
  password: string,
  { parts, disconnectSignal }: Needed,
): Promise<boolean> {
  // Earlier releases hashed passwords as they were typed. Check both forms every time, so that timing does not
  // reveal which one matches. For most passwords, they are the same.
  const forms = new Set([normalized(password), password]);
  let matched = false;
  for (const form of forms) {
    const owner = passwordOwner(disconnectSignal);
    const { matches } = await parts.passwords.verify(owner, form, operator?.passwordHash);
    matched ||= matches;
  }
  return matched;
}

/** Systems send the same letters in different forms, such as é as one character or as e and an accent. */
function normalized(password: string): string {
  return password.normalize('NFKC');
}

/** Returns the name under which all people at the console take turns with the applications; no APPID contains a space. */
function passwordOwner(disconnectSignal: () => AbortSignal): PasswordOwner {
  return { owner: 'console sign-in', signal: disconnectSignal() };
}
