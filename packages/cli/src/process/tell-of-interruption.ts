import { warn } from '../output/print.ts';

/** Says what an interruption means if the process ends during work that takes effect completely or not at all. */
export async function tellOfInterruption<T>(name: string, work: () => Promise<T>): Promise<T> {
  const tell = () =>
    warn(
      `the ${name} was interrupted; unless it was complete already, the target is as it was before: run the same command again`,
    );
  process.on('exit', tell);
  try {
    return await work();
  } finally {
    process.off('exit', tell);
  }
}
