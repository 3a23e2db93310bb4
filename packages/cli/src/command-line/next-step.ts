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
 * @param commandLine the words after the program's name
 */
export function withNextStep(message: string, program: Command, commandLine: readonly string[]): string {
  const called = calledCommand(program, commandLine);
  const [, command, similarCommand] = /^unknown command '([^']*)'( \(.*)?$/.exec(message) ?? [];
  if (command !== undefined) {
    const advice = swapped(called, command, commandLine) ?? otherCommand(called, command) ?? similarCommand;
    return `unknown command '${command}'${advice ?? '; --help lists the commands'}`;
  }
  // What follows the name is left out: it may be the URL of a database, with its password.
  const [, option] = /^unknown option '(--[\p{L}\p{N}_-]*|-.)/u.exec(message) ?? [];
  if (option !== undefined) return `unknown option '${option}'${optionAdvice(called, option)}`;
  const [, tooMany, name = ''] = /^(too many arguments for '([^']*)'[^:]*):/.exec(message) ?? [];
  if (tooMany === undefined) return message;
  // The values are left out: one may be a password, which would end up in the log of a job.
  return `${tooMany}; ${flagsOfArguments[name] ?? '--help shows the arguments and options'}`;
}

const verbs = ['create', 'export', 'import', 'list', 'show'];

/** Returns the advice for words in another order than here: `import store` for `store import`. */
function swapped(called: Command, verb: string, commandLine: readonly string[]): string | undefined {
  if (called.parent !== null || !verbs.includes(verb)) return undefined;
  const noun = commandLine.slice(commandLine.indexOf(verb) + 1).find((word) => !word.startsWith('-'));
  const group = called.commands.find((child) => child.commands.length > 0 && child.name() === noun);
  if (group === undefined) return undefined;
  if (group.commands.some((child) => child.name() === verb)) return `; use: fieldroster ${noun} ${verb}`;
  return otherCommand(group, verb) ?? `; fieldroster ${noun} --help lists what there is`;
}

/** What other programs call the flag that names a file to read. */
const fileFlags = ['--file', '--input'];

function optionAdvice(called: Command, option: string): string {
  if (!option.startsWith('--')) return '; --help lists the options';
  const readsFile = called.registeredArguments.some((argument) => argument.name() === 'file');
  if (readsFile && fileFlags.includes(option))
    return `; name the file without a flag: fieldroster ${pathOf(called)} FILE`;
  const flags = called.options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : []));
  const meant = suggestFlags(option, flags);
  return meant.length > 0 ? ` (Did you mean ${meant.join(' or ')}?)` : '; --help lists the options';
}

/** Returns the words that call a command, without the program's name. */
function pathOf(command: Command): string {
  const parent = command.parent;
  return parent?.parent ? `${pathOf(parent)} ${command.name()}` : command.name();
}

/** Returns the command that the words call; its options may stand between them. */
function calledCommand(program: Command, commandLine: readonly string[]): Command {
  let called = program;
  for (const word of commandLine.filter((each) => !each.startsWith('-'))) {
    const child = called.commands.find((each) => each.name() === word);
    if (child === undefined) break;
    called = child;
  }
  return called;
}
