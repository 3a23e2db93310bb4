import type { Command, Option } from 'commander';
import { isRepeatable } from './flag-values.ts';

/**
 * Refuses a flag with a value that the command line gives twice. Commander would silently use the last value, so
 * `--data /prod --data /test` might change the wrong database. Only flags count: a flag still overrides its variable
 * and its line in the configuration file.
 */
export function refuseRepeatedFlags(command: Command): void {
  const given = new Map<string, Option>();
  for (const option of command.options) {
    if (option.variadic || isRepeatable(option.parseArg)) continue;
    // `--migrate no` and `--no-migrate` set the same value.
    const value = option.attributeName();
    command.on(`option:${option.name()}`, () => {
      const before = given.get(value);
      given.set(value, option);
      // A switch means the same however often it is given.
      if (before === undefined || (isSwitch(before) && isSwitch(option))) return;
      const both =
        before === option
          ? `${option.long} is given twice`
          : `${before.long} and ${option.long} are both given`;
      command.error(`error: ${both}; give one of them and remove the other`);
    });
  }
  for (const child of command.commands) refuseRepeatedFlags(child);
}

function isSwitch(option: Option): boolean {
  return !option.required && !option.optional;
}
