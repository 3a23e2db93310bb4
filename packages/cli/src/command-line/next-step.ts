import type { Command } from 'commander';
import { otherCommand } from './other-commands.ts';
import { suggestFlags } from './suggest-flag.ts';

/** By command: what a surplus argument was probably meant for. */
const flagsOfArguments: Readonly<Record<string, string>> = {
  backup: 'name the file to write with --to, or check one with: fieldroster backup verify',
  call: 'give the body with --data',
  doctor: 'name the data folder with --data',
  restore: 'name the backup with --from',
  who: 'name the subject with --user, --store, --app or --operator',
};

/**
 * Adds to Commander's message what to do, where it suggests nothing itself, or something that was hardly meant.
 *
 * @param called the command that was called, as far as the command line names one that exists
 */
export function withNextStep(message: string, called: Command): string {
  const [, command, similarCommand] = /^unknown command '([^']*)'( \(.*)?$/.exec(message) ?? [];
  if (command !== undefined)
    return `unknown command '${command}'${otherCommand(called, command) ?? similarCommand ?? '; --help lists the commands'}`;
  const [, option, similarOption] = /^unknown option '(-[^'=]*)(?:=[^']*)?'( \(.*)?$/.exec(message) ?? [];
  // The value is left out: it may be the URL of a database, with its password.
  if (option !== undefined) return `unknown option '${option}'${optionAdvice(called, option, similarOption)}`;
  const [, tooMany, name = ''] = /^(too many arguments for '([^']*)'[^:]*):/.exec(message) ?? [];
  if (tooMany === undefined) return message;
  // The values are left out: one may be a password, which would end up in the log of a job.
  return `${tooMany}; ${flagsOfArguments[name] ?? '--help shows the arguments and options'}`;
}

function optionAdvice(called: Command, option: string, similar: string | undefined): string {
  const flags = called.options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : []));
  const meant = option.startsWith('--') ? suggestFlags(option, flags) : [];
  if (meant.length > 0) return ` (Did you mean ${meant.join(' or ')}?)`;
  return similar ?? '; --help lists the options';
}

/** Returns the command that the words call; its options may stand between them. */
export function calledCommand(program: Command, commandLine: readonly string[]): Command {
  return commandLine.reduce(
    (command, word) => command.commands.find((child) => child.name() === word) ?? command,
    program,
  );
}
