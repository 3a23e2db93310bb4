import { SingleBar } from 'cli-progress';

/** Shows how far the work is, in rows. */
export interface Progress {
  update(rowsDone: number): void;
  stop(): void;
}

/** A bar with rate and time left, for a person only: silent when standard output is no terminal. */
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
