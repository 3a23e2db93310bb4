import { serveAsWorker } from '../src/workers/serve-as-worker.ts';

// A worker that ends when it is told to, or one that never does, or one that never starts.
const [kind] = process.argv.slice(2);

await serveAsWorker(() => {
  // Keeps the process alive.
  setInterval(() => {}, 1_000);
  if (kind === 'never starts') return new Promise(() => {});
  const stop = () => (kind === 'never stops' ? new Promise<void>(() => {}) : Promise.resolve());
  return Promise.resolve({ url: 'http://127.0.0.1:1', stop });
});
