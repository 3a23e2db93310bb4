import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { type AskedServer, enough, type Waits } from './longest-wait.ts';

const { href, pid, restMs } = workerData as AskedServer;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let isOver = false;

parentPort?.on('message', (message: number | typeof enough) => {
  isOver = message === enough;
  if (message !== enough) void measure(message);
});

/** Sends requests until the test has enough of them, and at least this many, and tells the longest. */
async function measure(timesMin: number): Promise<void> {
  let longest: Waits = { wallMs: 0, workMs: 0 };
  for (let times = 0; !isOver || times < timesMin; times++) {
    const { wallMs, workMs } = await ask();
    longest = { wallMs: Math.max(longest.wallMs, wallMs), workMs: Math.max(longest.workMs, workMs) };
    if (restMs > 0 && times >= timesMin && !isOver) await delay(restMs);
  }
  parentPort?.postMessage(longest);
}

async function ask(): Promise<Waits> {
  const [startMs, startWorkMs] = [performance.now(), workedMs()];
  const outgoing = request(href, { agent }).end();
  const [response] = await once(outgoing, 'response');
  response.resume();
  await once(response, 'end');
  return { wallMs: performance.now() - startMs, workMs: workedMs() - startWorkMs };
}

/** Processor time of the server's first thread, on which its event loop runs. */
function workedMs(): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ');
  return Number(nanoseconds) / 1e6;
}
