import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { issueManager } from '../attack/issue-manager.ts';
import { provisionDirectory } from '../provision-directory.ts';
import { SeededRandom } from '../seeded-random.ts';
import { ServerProcess } from '../server-process.ts';
import { judgeSlope, type Sample, slopeOf, type Verdict } from './memory-slope.ts';
import { MixedLoad } from './mixed-load.ts';

// npm run soak -- --minutes 60                  mixed load on a real server; ends with 1 if memory or handles grow, and with
//                                               3 if the run was too short to tell
// npm run soak -- --minutes 5 --leak-kib 200    proves that a leak is found: adds as much to each second's sample

const sampleIntervalMs = 1_000;

/** Faster growth than this counts as a leak. Noise moves the estimate of an hour by less. */
const allowedPerHour = { 'anonymous memory, MiB': 16, 'open files': 5, threads: 2 };

type Measure = keyof typeof allowedPerHour;

const said: Readonly<Record<Verdict, string>> = {
  steady: '',
  grows: ': LEAK',
  unclear: ': INCONCLUSIVE, run for longer',
};

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, 'leak-kib': { type: 'string', default: '0' } },
});
const minutes = Number(values.minutes);
const leakKibibytes = Number(values['leak-kib']);
if (!(minutes > 0) || !(leakKibibytes >= 0)) {
  console.error('usage: npm run soak -- [--minutes <number>] [--leak-kib <KiB a second>]');
  process.exit(2);
}

const directory = await provisionDirectory(50);
const credentials = await issueManager(directory);
const server = await ServerProcess.start(directory, '--log-level', 'error', '--overload-wait', '50');
try {
  process.exitCode = await soak();
} finally {
  await server.kill();
  await directory.remove();
}

/** Returns the exit code. */
async function soak(): Promise<number> {
  const load = new MixedLoad(server.url, { ...directory, credentials }, new SeededRandom(19));
  const running = load.run();
  const samples = await sample(running);
  load.stop();
  await running;
  console.log(`answers: ${[...load.answers].map(([name, count]) => `${name}: ${count}`).join(', ')}`);
  const verdicts = Object.keys(allowedPerHour).map((measure) => judge(measure as Measure, samples));
  for (const line of server.errorLines) console.log(`the server logged an error: ${line}`);
  if (verdicts.includes('grows') || server.errorLines.length > 0) return 1;
  return verdicts.includes('unclear') ? 3 : 0;
}

type Samples = Readonly<Record<Measure, Sample[]>>;

/** @param load ends early only when it fails */
async function sample(load: Promise<void>): Promise<Samples> {
  const samples: Samples = { 'anonymous memory, MiB': [], 'open files': [], threads: [] };
  const startMs = performance.now();
  for (let count = 0; performance.now() - startMs < minutes * 60_000; count += 1) {
    await Promise.race([delay(sampleIntervalMs), load]);
    const hours = (performance.now() - startMs) / 3_600_000;
    const leakedMebibytes = (leakKibibytes * count) / 1024;
    samples['anonymous memory, MiB'].push({ hours, value: statusOf('RssAnon') / 1024 + leakedMebibytes });
    samples['open files'].push({ hours, value: readdirSync(`/proc/${server.pid}/fd`).length });
    samples.threads.push({ hours, value: statusOf('Threads') });
  }
  return samples;
}

/** Returns a number that the kernel tells about the server. */
function statusOf(name: 'RssAnon' | 'Threads'): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'latin1');
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
}

function judge(measure: Measure, samples: Samples): Verdict {
  const slope = slopeOf(samples[measure]);
  const verdict = judgeSlope(slope, allowedPerHour[measure]);
  const last = samples[measure].at(-1)?.value ?? Number.NaN;
  console.log(
    `figure: ${measure}: ${slope.perHour.toFixed(1)} ± ${slope.uncertainty.toFixed(1)} an hour, ${last.toFixed(0)} at the end; ` +
      `allowed ${allowedPerHour[measure]}${said[verdict]}`,
  );
  return verdict;
}
