import { SingleBar } from 'cli-progress';

/** A display of progress in rows. */
export interface Progress {
  update(rowsDone: number): void;
  stop(): void;
}

/** Shows a bar with rate and remaining time; silent unless standard output and standard error are terminals. */
export function showProgress(rows: number, rowsDoneBefore: number): Progress {
  if (!process.stdout.isTTY || !process.stderr.isTTY || rows === 0) return { update() {}, stop() {} };
  const bar = new SingleBar({
    format: '{bar} {percentage} % | {value} of {total} rows | {rate} rows/s | {eta_formatted} left',
    stream: process.stderr,
    etaBuffer: 50,
  });
  const startedAtMs = performance.now();
  bar.start(rows, rowsDoneBefore, { rate: 0 });
  return {
    update(rowsDone) {
      const seconds = Math.max(0.001, (performance.now() - startedAtMs) / 1000);
      bar.update(rowsDone, { rate: Math.round((rowsDone - rowsDoneBefore) / seconds) });
    },
    stop: () => bar.stop(),
  };
}
