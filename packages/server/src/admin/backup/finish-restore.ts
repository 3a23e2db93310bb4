import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CopySession } from '../../database/copy-session.ts';
import { openSqliteTarget } from '../../database/sqlite/copy-session.ts';
import { databaseFile } from '../../database/sqlite/open.ts';
import { AdminError } from '../admin-error.ts';
import { requireVerified } from '../open-directory.ts';
import { adviseOnOwner, giveDatabaseToFolderOwner } from './folder-owner.ts';
import { requireStoppedServers } from './require-stopped-servers.ts';
import {
  commitOrClose,
  lastSteps,
  type RestoreFinish,
  type RestoreOptions,
  type RestoreTarget,
  readErasures,
} from './restore-steps.ts';

/**
 * Finishes the restore of a database by other tools, such as PostgreSQL's archive or Litestream.
 * Run it before the first server starts.
 *
 * @throws {AdminError} when a server runs on it
 */
export async function finishRestore(
  target: RestoreTarget,
  { erasureFiles = [] }: RestoreOptions = {},
): Promise<RestoreFinish & { readonly location: string; readonly ownerCommand?: string }> {
  const folder = resolve(target.data);
  const known = await readErasures([folder], erasureFiles);
  const opened = await openInPlace(target, folder);
  const { closeHoles, erase } = lastSteps(target, known);
  const finished = await commitOrClose(opened, async () => {
    await requireStoppedServers(opened);
    return { ...(await closeHoles(opened)), ...(await erase(opened)) };
  });
  if (target.database) return { ...finished, location: opened.location };
  await giveDatabaseToFolderOwner(folder);
  const ownerCommand = adviseOnOwner(folder);
  return { ...finished, location: opened.location, ...(ownerCommand !== undefined && { ownerCommand }) };
}

async function openInPlace(
  { database, databaseInsecure = false }: RestoreTarget,
  folder: string,
): Promise<CopySession> {
  if (database) {
    await requireVerified([database], databaseInsecure);
    const { openPostgresTarget } = await import('../../database/postgres/copy-session.ts');
    const target = await openPostgresTarget(database);
    // Tools that load rows may switch triggers off.
    const { repairChangeOrder } = await import('../../database/postgres/change-order.ts');
    await repairChangeOrder(target.session);
    return target;
  }
  if (!existsSync(join(folder, databaseFile))) {
    throw new AdminError(`there is no database in ${folder}; put the restored one there first`);
  }
  return openSqliteTarget(folder);
}
