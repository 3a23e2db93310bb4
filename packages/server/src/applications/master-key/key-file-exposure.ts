import { lstatSync, statSync } from 'node:fs';
import { quoteForShell } from '../../words/quote-for-shell.ts';
import { MasterKeyError } from './master-key-error.ts';

/**
 * Returns who else may read a key file and what to do, or `undefined` when only its owner may. Where a platform such as
 * Kubernetes mounts a secret, the operator may not control its mode, so this is only a warning. A file in the data
 * folder is refused; see `findMasterKey`.
 */
export function keyFileExposure(path: string): string | undefined {
  // Windows has no such modes and shows every file as readable by all.
  const mode = process.platform === 'win32' ? 0 : (statSync(path, { throwIfNoEntry: false })?.mode ?? 0);
  if ((mode & everybody) !== 0)
    return `any user of this machine may read the key file ${path}; run: chmod 600 ${quoteForShell(path)}`;
  if ((mode & group) !== 0)
    return `the group of the key file ${path} may read it; run: chmod 600 ${quoteForShell(path)}`;
  return undefined;
}

const everybody = 0o007;
const group = 0o070;

/** @throws {MasterKeyError} when any user of the machine may read the key file of the data folder */
export function refuseExposedKeyFile(path: string): void {
  const found = lstatSync(path);
  // A link leads to a secret mounted elsewhere. A volume may set the group of files itself.
  if (found.isSymbolicLink() || (found.mode & everybody) === 0) return;
  const exposure = keyFileExposure(path);
  if (exposure !== undefined) throw new MasterKeyError(exposure);
}
