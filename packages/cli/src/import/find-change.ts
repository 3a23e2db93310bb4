import { FileFault } from '@fieldroster/tables';

/** A file that is read more than once, and must be the same each time. */
export interface WatchedFile {
  /** Returns whether the file is as it was before it was first read. */
  readonly isUnchanged: () => Promise<boolean>;
}

class FileChanged extends Error {}

/** Ends the work of {@link findChange} if the file was changed. */
export async function requireUnchanged({ isUnchanged }: WatchedFile): Promise<void> {
  if (!(await isUnchanged())) throw new FileChanged();
}

/** Does what reads the file. Returns whether that ended early because the file was changed. */
export async function findChange(file: WatchedFile, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return false;
  } catch (error) {
    if (error instanceof FileChanged) return true;
    // A file that had no such fault when it was first read is being written.
    if (error instanceof FileFault && !(await file.isUnchanged())) return true;
    throw error;
  }
}
