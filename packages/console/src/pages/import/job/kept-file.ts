import type { ImportJob } from './import-job.ts';

/** An import as the database keeps it. */
export interface KeptJob extends Omit<ImportJob, 'file'> {
  readonly file: Blob | ArrayBuffer;
}

/** Whether the browser has refused to keep a file, but has kept its bytes. */
let asBytes = false;

/**
 * Writes an import with its file; with the bytes of the file if the browser refuses the file itself, as Safari does in
 * private windows. A file costs less: the browser does not copy it whenever the import is written again.
 *
 * @param write writes all or nothing
 */
export async function keepFile<Result>(
  job: ImportJob,
  write: (kept: KeptJob) => Promise<Result>,
): Promise<Result> {
  if (!asBytes) {
    try {
      return await write(job);
    } catch {
      // The bytes fail as well if the reason is another one, such as a full disk.
    }
  }
  const result = await write({ ...job, file: await job.file.arrayBuffer() });
  asBytes = true;
  return result;
}

export function jobOf({ file, ...rest }: KeptJob): ImportJob {
  return { ...rest, file: file instanceof Blob ? file : new Blob([file]) };
}
