import { once } from 'node:events';
import { serveAsWorker } from '../src/workers/serve-as-worker.ts';

const drained = once(process, 'SIGCONT');

/**
 * When a worker stops that is told to: at once, after a drain that a signal ends, never, or with a failure. Two do not even start: one
 * waits, as for its database, and one blocks its event loop.
 */
const stops = {
  obeys: () => Promise.resolve(),
  drains: () => drained.then(() => {}),
  'fails to stop': () => Promise.reject(new Error('planted')),
  'never stops': () => new Promise<void>(() => {}),
  waits: undefined,
  'never starts': undefined,
};

const [kind] = process.argv.slice(2) as [keyof typeof stops];

await serveAsWorker(start, (error) => {
  process.stderr.write(`${error}\n`);
});

function start() {
  // Keeps the process alive.
  setInterval(() => {}, 1_000);
  if (kind === 'never starts') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  const stop = stops[kind];
  if (stop === undefined) return new Promise<never>(() => {});
  // The supervisor counts these seconds in its own ticks.
  const drainSeconds = kind === 'drains' ? 3_600 : 0;
  const readMetrics = async () => [];
  return Promise.resolve({ url: 'http://127.0.0.1:1', drainSeconds, stop, readMetrics });
}
