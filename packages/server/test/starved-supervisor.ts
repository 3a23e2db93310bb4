import cluster from 'node:cluster';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { Logger } from '../src/logging/logger.ts';
import { superviseWorkers } from '../src/workers/supervise-workers.ts';

// A supervisor that may open no more files when one of its two workers dies. Prints how many workers it has then and once
// it may open files again, and its log.
cluster.schedulingPolicy = cluster.SCHED_NONE;
cluster.setupPrimary({ exec: join(import.meta.dirname, 'obedient-worker.ts') });
const settings = {
  ...{ workers: 2, host: '127.0.0.1', port: 0, metrics: '', consoleListen: '' },
  waitForDatabaseSeconds: 0,
};
const log: { readonly msg: string }[] = [];
const failed = Promise.withResolvers<void>();
const logger = new Logger('error', (line) => {
  log.push(JSON.parse(line));
  if (log.length === 2) failed.resolve();
});
const supervisor = await superviseWorkers(settings, logger);
await supervisor.allServing;
const [dying] = Object.values(cluster.workers ?? {});
const taken = takeFiles();
dying?.process.kill('SIGKILL');
await failed.promise;
const left = countWorkers();
for (const file of taken) closeSync(file);
await once(cluster, 'online');
const again = countWorkers();
await supervisor.stop();
process.stdout.write(JSON.stringify({ left, again, log }));

function takeFiles(): readonly number[] {
  const files: number[] = [];
  try {
    for (;;) files.push(openSync('/dev/null', 'r'));
  } catch {
    // These were all.
  }
  return files;
}

function countWorkers(): number {
  return Object.keys(cluster.workers ?? {}).length;
}
