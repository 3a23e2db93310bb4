import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes the names in the folder of a key file survive a power cut. Windows cannot sync a folder, and needs no such call. */
export function syncKeyFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
