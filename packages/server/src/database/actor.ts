/** Somebody at the command line of a machine. */
export interface CommandActor {
  readonly kind: 'command';
  /** Name of the system user; null when the system has none for the process. */
  readonly user: string | null;
  /** The user who ran the command with sudo. */
  readonly sudoUser?: string;
  readonly host: string;
}

/** Returns who ran a command, as `user@host`; with sudo, the user behind it. */
export function describeCommandActor({ user, sudoUser, host }: CommandActor): string {
  return `${sudoUser ?? user ?? ''}@${host}`;
}

/** Somebody who signed in as an operator. */
export interface OperatorActor {
  readonly kind: 'operator';
  readonly id: string;
  /** The page's UUID for the change. Its claim is soon purged; the audit proves later that the change took effect. */
  readonly changeId?: string;
}

/** Who made a change without a signed request. The interface for applications never shows it. */
export type Actor = CommandActor | OperatorActor;
