import type { Command } from 'commander';

/**
 * Refuses an empty argument of any command, which a script gives for a variable that is not set. Without this, the
 * command would search for it and answer that there is no such thing, without a name.
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
