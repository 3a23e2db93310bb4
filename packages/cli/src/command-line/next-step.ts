/** By command: what a surplus argument was probably meant for. */
const flagsOfArguments: Readonly<Record<string, string>> = {
  backup: 'name the file to write with --to, or check one with: fieldroster backup verify',
  call: 'give the body with --data',
  doctor: 'name the data folder with --data',
  restore: 'name the backup with --from',
  who: 'name the subject with --user, --store, --app or --operator',
};

/** Commander suggests the nearest name, even if it is the opposite of what was meant. */
const misleading: Readonly<Record<string, string>> = {
  "unknown command 'create' (Did you mean erase?)":
    "unknown command 'create'; create users from a file with: fieldroster user import, or one with: fieldroster call POST /user",
};

/** Adds to Commander's message what to do, where it suggests nothing itself. */
export function withNextStep(message: string): string {
  const replacement = misleading[message];
  if (replacement !== undefined) return replacement;
  if (/^unknown command '[^']*'$/.test(message)) return `${message}; --help lists the commands`;
  if (/^unknown option '[^']*'$/.test(message)) return `${message}; --help lists the options`;
  const [, tooMany, name = ''] = /^(too many arguments for '([^']*)'[^:]*):/.exec(message) ?? [];
  if (tooMany === undefined) return message;
  // The values are left out: one may be a password, which would end up in the log of a job.
  return `${tooMany}; ${flagsOfArguments[name] ?? '--help shows the arguments and options'}`;
}
