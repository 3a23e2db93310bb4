import { BusyError } from '../../../errors/busy-error.ts';
import { atMostEvery } from '../../../logging/at-most-every.ts';
import type { Notice } from '../../../logging/notice.ts';
import type { Session } from '../session.ts';
import type { BookkeepingTables } from './bookkeeping-tables.ts';

/** Writes rows; is called again in a later transaction when that one fails. */
export type BackgroundWrite = (session: Session) => Promise<void>;

export interface BackgroundWriterOptions {
  /** Minimum time between two transactions, in milliseconds. */
  readonly intervalMs: number;
  /** Receives a message for the log when rows cannot be written. */
  readonly notice?: Notice | undefined;
}

interface Waiting {
  readonly write: BackgroundWrite;
  readonly onEnd: () => void;
  faults: number;
}

/** Bounds the memory of rows that cannot be written. */
const waitingMax = 1_000;

/**
 * Number of failures after which a write is dropped, not counting an absent or busy database: the write may be the
 * cause, and it shares a transaction with the others, which it would hold up.
 */
const faultsMax = 5;

const noticeIntervalMs = 60_000;

/**
 * Writes bookkeeping in the background: all that was added since the last transaction, in one transaction. Nothing
 * waits for it, so no request is slower because of it.
 */
export class BackgroundWriter {
  readonly #tables: BookkeepingTables;
  readonly #options: BackgroundWriterOptions;
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;
  readonly #mayNotice = atMostEvery(noticeIntervalMs);

  constructor(tables: BookkeepingTables, options: BackgroundWriterOptions) {
    this.#tables = tables;
    this.#options = options;
  }

  /**
   * Adds rows to the next transaction. The oldest are dropped when too many wait, and all after the end.
   *
   * @param onEnd called once they are written or dropped; must not throw
   */
  add(write: BackgroundWrite, onEnd: () => void = () => {}): void {
    if (this.#isClosed) {
      onEnd();
      return;
    }
    this.#waiting.push({ write, onEnd, faults: 0 });
    if (this.#waiting.length > waitingMax) this.#waiting.shift()?.onEnd();
    this.#schedule();
  }

  /** Writes what waits, now. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running = this.#running.catch(() => {}).then(() => this.#writeAll());
    return this.#running;
  }

  /** Writes what waits, and drops what cannot be written now. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.flush();
    for (const { onEnd } of this.#waiting.splice(0)) onEnd();
  }

  #schedule(): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => void this.flush(), this.#options.intervalMs).unref();
  }

  async #writeAll(): Promise<void> {
    const batch = this.#waiting;
    if (batch.length === 0) return;
    this.#waiting = [];
    try {
      await this.#tables.write(async (session) => {
        for (const { write } of batch) await write(session);
      }, 'background');
    } catch (error) {
      this.#keep(batch, error);
      this.#report(error);
      return;
    }
    for (const { onEnd } of batch) onEnd();
  }

  /** Keeps the rows for the next transaction, even if the database is unavailable for a long time. */
  #keep(batch: readonly Waiting[], error: unknown): void {
    const isFault = !(error instanceof BusyError);
    for (const waiting of batch) if (isFault) waiting.faults += 1;
    const all = [...batch, ...this.#waiting];
    const kept = all.filter(({ faults }) => faults < faultsMax).slice(-waitingMax);
    this.#waiting = kept;
    for (const waiting of all) if (!kept.includes(waiting)) waiting.onEnd();
    if (this.#waiting.length > 0) this.#schedule();
  }

  #report(error: unknown): void {
    if (!this.#mayNotice() && !this.#isClosed) return;
    this.#options.notice?.(
      { cause: String(error) },
      this.#isClosed
        ? 'call summaries and other bookkeeping could not be written before the end of this process, and are lost'
        : 'call summaries and other bookkeeping could not be written; the server keeps serving and tries again',
    );
  }
}
