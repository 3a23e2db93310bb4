import { hostname, userInfo } from 'node:os';
import type { CommandActor } from '../database/database.ts';

const charactersMax = 255;

/**
 * Returns the actor of this process: the system user, the user behind sudo, and the host.
 *
 * @param environment where sudo leaves the name of the user who called it
 */
export function commandActor(
  environment: NodeJS.ProcessEnv,
  readUserInfo: () => { readonly username: string } = userInfo,
): CommandActor {
  const sudoUser = printable(environment.SUDO_USER ?? '');
  const user = systemUser(readUserInfo);
  return { kind: 'command', user, ...(sudoUser !== '' && { sudoUser }), host: printable(hostname()) };
}

/** A container may run under a numeric user without a name, for which the system throws. */
function systemUser(readUserInfo: () => { readonly username: string }): string | null {
  try {
    return printable(readUserInfo().username) || null;
  } catch {
    return process.getuid === undefined ? null : `uid ${process.getuid()}`;
  }
}

/** The names come from the environment and go to operators' terminals. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '').slice(0, charactersMax);
}
