import type { Command } from 'commander';
import { addUserBindings } from '../user/binding-commands.ts';
import { addUserExport } from '../user/export-command.ts';
import { addUserImport } from '../user/import-command.ts';
import { addUserList } from '../user/list-command.ts';
import { addUserShow } from '../user/show-command.ts';
import { addUserStatus } from '../user/status-commands.ts';

/**
 * Every command of this group calls a server and needs no database, except `erase`, which `user/erase-command.ts`
 * completes.
 */
export function completeUser(user: Command): void {
  user.addHelpText(
    'after',
    '\nTo create or change a single user: fieldroster call POST /user, or PUT /user.\n\nExample:\n  $ fieldroster user import staff.csv --dry-run',
  );
  addUserImport(user);
  addUserExport(user);
  addUserList(user);
  addUserShow(user);
  addUserBindings(user);
  addUserStatus(user);
  user.command('erase').description('Remove all data of a person, including the values in the audit trail');
}
