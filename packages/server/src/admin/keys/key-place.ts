import { resolve } from 'node:path';
import {
  findMasterKey,
  findPreviousKey,
  keyFileInUse,
} from '../../applications/master-key/find-master-key.ts';
import type { OpenDirectoryOptions } from '../open-directory.ts';

/** The source of a command's master keys. */
export interface KeyPlace {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The key file of the data folder, if that is where the key comes from. */
  readonly keyFile: string | undefined;
}

export function keyPlaceOf({ data, environment = process.env }: OpenDirectoryOptions): KeyPlace {
  const folder = resolve(data);
  return { folder, environment, keyFile: keyFileInUse(folder, environment) };
}

/** Reads the keys that exist: the master key, then the previous one. */
export function readKeys({ folder, environment }: KeyPlace): readonly Uint8Array[] {
  const keys = [findMasterKey(folder, environment), findPreviousKey(folder, environment)];
  return keys.filter((key) => key !== undefined);
}
