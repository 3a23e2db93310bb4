import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { masterKeyFile, previousKeyFile } from '../../applications/master-key/key-places.ts';
import { bookkeepingFile } from '../../database/sqlite/bookkeeping/bookkeeping-file.ts';
import { fileEndings } from '../../database/sqlite/files/file-identity.ts';
import { databaseFile } from '../../database/sqlite/open.ts';
import { quoteForShell } from '../../words/quote-for-shell.ts';
import { erasureFile } from './erasure-file.ts';
import { giveToFolderOwner } from './give-to-folder-owner.ts';

/** Gives the files of a database that other tools restored to the owner of their folder. Nothing may have it open. */
export async function giveDatabaseToFolderOwner(folder: string): Promise<void> {
  for (const path of databaseFiles(folder)) await giveToFolderOwner(path, folder);
}

function databaseFiles(folder: string): readonly string[] {
  return [databaseFile, bookkeepingFile]
    .flatMap((name) => fileEndings.map((ending) => join(folder, name + ending)))
    .filter((path) => existsSync(path));
}

/**
 * Returns what to run so that the server can use the files of a data folder,
 * or `undefined` if its user owns them all, as far as can be known: the server's user is the owner of the folder.
 */
export function adviseOnOwner(folder: string): string | undefined {
  const own = process.getuid?.();
  if (own === undefined) return undefined;
  const { uid, gid } = statSync(folder);
  const others = [masterKeyFile, previousKeyFile, erasureFile]
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path));
  const foreign = [...databaseFiles(folder), ...others].filter((path) => statSync(path).uid !== uid);
  if (foreign.length > 0) return `chown ${uid}:${gid} ${foreign.map(quoteForShell).join(' ')}`;
  return own === 0 && uid === 0 ? `chown -R USER ${quoteForShell(folder)}` : undefined;
}
