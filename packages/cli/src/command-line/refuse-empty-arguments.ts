import type { Command } from 'commander';

/**
 * Refuses an empty argument of any command, which a script passes when a variable is not set. Otherwise the command
 * would look for something with an empty name, and its error would not show what is wrong.
 */
export function refuseEmptyArguments(program: Command): void {
  program.hook('preAction', (_program, command) => {
    for (const [index, argument] of command.registeredArguments.entries()) {
      if (command.args[index]?.trim() !== '') continue;
      const { required, description } = argument;
      const advice = required ? 'give it a value' : 'give it a value or leave it out';
      const name = required ? `<${argument.name()}>` : `[${argument.name()}]`;
      command.error(`error: the argument ${name} is empty; ${advice} (${description})`);
    }
  });
}
