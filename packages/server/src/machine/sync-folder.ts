import { closeSync, fsyncSync, openSync } from 'node:fs';

/**
 * Makes the names in a folder survive a power cut. It blocks the thread, so a server that serves must not call it.
 * Windows cannot open folders, and needs no such call.
 */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
