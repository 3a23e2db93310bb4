import type { Command } from 'commander';
import { buildProgram } from '../src/program.ts';

/** Builds the program with every command complete. In use, only the called command is. */
export async function wholeProgram(): Promise<Command> {
  const names = (await buildProgram([])).commands.map((command) => command.name());
  return buildProgram([...names, 'erase']);
}
