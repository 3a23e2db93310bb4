import type { Command } from 'commander';
import { parseEncoding, parseSeparator, repeatable } from '../command-line/flag-values.ts';
import { mappingParser } from './column-map.ts';

/** Adds the flags by which every import reads the columns of its file. */
export function addColumnOptions(load: Command, fields: readonly string[]): Command {
  return load
    .option(
      '--map <column=field>',
      'Field that a column sets; COLUMN= leaves the column out (repeatable)',
      repeatable(mappingParser(fields)),
    )
    .option('--ignore-unknown', 'Leave out every column that matches no field');
}

/** Adds the flags by which every import reads the text of its file. */
export function addTextOptions(load: Command): Command {
  return load
    .option(
      '--encoding <name>',
      'Encoding of a text file (default: UTF-8, or UTF-16 if it begins so)',
      parseEncoding,
    )
    .option(
      '--delimiter <text>',
      'Separator between the values of a CSV file; the word tab for a tab (default: detected)',
      parseSeparator,
    );
}
