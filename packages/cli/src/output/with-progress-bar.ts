import { SingleBar } from 'cli-progress';

/** Notes how much is done. The total may become known only during the work. */
export type NoteProgress = (done: number, total?: number) => void;

/**
 * Shows a progress bar on standard error during the work, on a terminal only.
 *
 * @param details what the bar shows in addition to the percentage, in the format of cli-progress
 * @param total what is done at the end; 0 shows no bar
 */
export async function withProgressBar<T>(
  details: string,
  total: number,
  work: (onProgress: NoteProgress) => Promise<T>,
): Promise<T> {
  if (!process.stderr.isTTY || total === 0) return work(() => {});
  const bar = new SingleBar({ format: `{bar} {percentage} % | ${details}`, stream: process.stderr });
  bar.start(total, 0);
  try {
    return await work((done, newTotal = total) => {
      bar.setTotal(newTotal);
      bar.update(done);
    });
  } finally {
    bar.stop();
  }
}
