import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** Resolves once a process has stopped, as by SIGSTOP. Fails if it ends before. */
export async function untilStopped(child: ChildProcess): Promise<void> {
  for (;;) {
    assert.deepEqual([child.exitCode, child.signalCode], [null, null], 'it ended before it stopped');
    const states = execFileSync('ps', ['-A', '-o', 'pid=,stat='], { encoding: 'utf8' }).split('\n');
    if (states.some((line) => new RegExp(`^ *${child.pid} +T`).test(line))) return;
    await delay(20);
  }
}
