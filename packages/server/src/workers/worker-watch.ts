import type { Worker } from 'node:cluster';
import type { Logger } from '../logging/logger.ts';
import type { SupervisorMessage, WorkerMessage } from './messages.ts';

/** How often workers are asked whether they still run, in milliseconds. */
const tickMsDefault = 1_000;

/**
 * Ticks of silence after which a worker counts as hung. The longest blocks of an event loop that we know take 0.3 s. A disk
 * that stalls for some seconds must not end every worker.
 */
const silentTicksMax = 30;

/**
 * Ticks that a stop may take after the time of `--drain`: 35 s for connections, 15 s for calls, and what closes the
 * database, the traces and the log. With a `--drain` of 5, it ends before the 60 s that the files of `deploy/` allow.
 */
const stopTicksMax = 54;

/**
 * Ticks that a start may take in addition to `--wait-for-database`. After an upgrade, a replacement migrates the
 * tables, and may block for as long as that takes.
 */
const startTicksMax = 600;

interface Watched {
  /** Whether it answers. */
  ready: boolean;
  /** Ticks until it must be ready; infinite for the first worker. */
  startTicksLeft: number;
  drainTicks: number;
  /** Ticks since its last message. */
  silentTicks: number;
  /** Ticks until it must have ended; infinite until it is told to stop. */
  stopTicksLeft: number;
}

/**
 * Kills workers that hang. It counts its own ticks rather than reading a clock, so time in which this process did not
 * run either, such as a suspended machine's or a stopped container's, does not count.
 */
export class WorkerWatch {
  readonly #logger: Logger;
  readonly #waitTicks: number;
  readonly #tickMs: number;
  readonly #watched = new Map<Worker, Watched>();
  readonly #timer: NodeJS.Timeout;
  /** Nobody serves before the first worker, and the service manager limits its start. */
  #startTicks = Infinity;

  /** @param waitSeconds how long a worker may wait for its database */
  constructor(logger: Logger, waitSeconds: number, tickMs = tickMsDefault) {
    this.#logger = logger;
    this.#waitTicks = waitSeconds;
    this.#tickMs = tickMs;
    this.#timer = setInterval(() => this.#tick(), tickMs).unref();
  }

  /** Watches a worker from its start on. */
  add(worker: Worker): void {
    const watched: Watched = {
      ready: false,
      startTicksLeft: this.#startTicks,
      drainTicks: 0,
      silentTicks: 0,
      stopTicksLeft: Infinity,
    };
    this.#watched.set(worker, watched);
    worker.on('message', (message: WorkerMessage) => {
      watched.silentTicks = 0;
      if (message.kind !== 'ready') return;
      watched.ready = true;
      watched.startTicksLeft = Infinity;
      this.#startTicks = startTicksMax + this.#waitTicks;
      watched.drainTicks = message.drainSeconds;
    });
    worker.once('exit', () => this.#watched.delete(worker));
  }

  /**
   * Limits the time until the worker has ended.
   *
   * @param replaced whether it stops without a drain
   */
  expectEnd(worker: Worker, replaced: boolean): void {
    const watched = this.#watched.get(worker);
    if (watched === undefined) return;
    const ticks = stopTicksMax + (replaced ? 0 : watched.drainTicks);
    watched.stopTicksLeft = Math.min(watched.stopTicksLeft, ticks);
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    for (const [worker, watched] of this.#watched) {
      watched.startTicksLeft -= 1;
      watched.stopTicksLeft -= 1;
      if (watched.stopTicksLeft < 0) this.#kill(worker, {}, 'a worker did not stop in time; killing it');
      else if (watched.startTicksLeft < 0)
        this.#kill(worker, {}, 'a worker did not start in time; killing it');
      // Nobody can ask a worker whose channel was cut because it closes the port.
      else if (watched.ready && worker.isConnected()) this.#ask(worker, watched);
    }
  }

  #ask(worker: Worker, watched: Watched): void {
    if (watched.silentTicks >= silentTicksMax) {
      const fields = { silent_ms: watched.silentTicks * this.#tickMs };
      this.#kill(worker, fields, 'a worker hangs: it answers nothing; killing it');
      return;
    }
    watched.silentTicks += 1;
    const question: SupervisorMessage = { kind: 'ping' };
    worker.send(question, () => {});
  }

  #kill(worker: Worker, fields: { readonly silent_ms?: number }, message: string): void {
    this.#watched.delete(worker);
    this.#logger.error({ pid: worker.process.pid, ...fields }, message);
    worker.process.kill('SIGKILL');
  }
}
