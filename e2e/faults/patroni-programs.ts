import { execFileSync, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { dirname } from 'node:path';

/** The means to run a cluster: the installed programs, and a user who is not root. */
export interface PatroniPrograms {
  /** Folder of PostgreSQL's programs. */
  readonly postgresFolder: string;
  readonly user: { readonly uid: number; readonly gid: number };
  readonly environment: NodeJS.ProcessEnv;
  /** The superuser of the test's PostgreSQL. */
  readonly adminLogin: { readonly user: string; readonly password: string };
}

export const patroniIsMissing =
  'patroni, etcd or PostgreSQL is not installed; on Debian: apt-get install patroni etcd-server postgresql';

/** Folder of the programs of the newest installed PostgreSQL; `undefined` if there is none. */
export function findPostgresFolder(): string | undefined {
  const found = globSync('/usr/lib/postgresql/*/bin/initdb').map(dirname);
  return found.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
}

/** Finds the programs; `undefined` if one is missing, or if root has no other user to run PostgreSQL as. */
export function findPatroniPrograms(): PatroniPrograms | undefined {
  const postgresFolder = findPostgresFolder();
  const user = findUser();
  if (postgresFolder === undefined || user === undefined) return undefined;
  if (['patroni', 'patronictl', 'etcd'].some((name) => spawnSync(name, ['--version']).error))
    return undefined;
  return {
    postgresFolder,
    user,
    environment: { PATH: `${postgresFolder}:${process.env.PATH}`, LC_ALL: 'C.UTF-8' },
    adminLogin: { user: 'postgres', password: 'postgres' },
  };
}

/** PostgreSQL refuses to run as root; its package brings a user. */
function findUser(): PatroniPrograms['user'] | undefined {
  const [uid = 0, gid = 0] = [process.getuid?.(), process.getgid?.()];
  if (uid !== 0) return { uid, gid };
  try {
    const read = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: 'pipe' }));
    return { uid: read('-u'), gid: read('-g') };
  } catch {
    return undefined;
  }
}
