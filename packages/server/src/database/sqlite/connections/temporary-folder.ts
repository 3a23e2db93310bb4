import { existsSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

/**
 * Lets SQLite keep its temporary files, such as those of a large sort, in the folder of a database. By default, they go
 * into `/var/tmp` or `/tmp`, which may have too little room, or, in a container, may not be writable. The names of the
 * files are removed as soon as they are open.
 *
 * The setting holds for all databases of the process, so the first folder is kept as long as it exists.
 */
export function keepTemporaryFilesBeside(connection: DatabaseSync, path: string): void {
  if (path === ':memory:') return;
  const [current] = connection.prepare('pragma temp_store_directory').all();
  if (current !== undefined && existsSync(String(current.temp_store_directory))) return;
  try {
    // A path through a descriptor of this process would later lead elsewhere.
    const folder = realpathSync(dirname(path));
    connection.exec(`pragma temp_store_directory = '${folder.replaceAll("'", "''")}'`);
  } catch (error) {
    // Who may only read the database keeps them where SQLite does.
    if ((error as Error).message !== 'not a writable directory') throw error;
  }
}
