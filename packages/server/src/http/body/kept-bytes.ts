import type { IncomingMessage } from 'node:http';
import type { ApiError } from '../../errors/api-error.ts';
import type { Holder } from '../../fairness/memory-pool.ts';
import type { Lease } from '../../fairness/memory-queue.ts';
import type { ReceivedBody } from '../../pipeline/call.ts';
import type { BodyBudget } from './body-budget.ts';
import { BodyChecks } from './body-checks.ts';
import { bodyOverheadBytes, smallBodyBytesMax } from './body-memory.ts';
import type { GrowingLease, UnfinishedBody } from './small-bodies.ts';

const growthBytesMin = 4096;

interface KeptBytesOptions {
  readonly announcedBytes: number | undefined;
  readonly bytesMax: number;
  /** Who is charged for the memory. */
  readonly holder: Holder;
  /** The request, which is paused while its body waits for memory. */
  readonly flow: IncomingMessage;
  readonly onRefusal: (refusal: ApiError) => void;
}

/**
 * Collects the bytes of a body in one buffer as they arrive. The sender decides how small its chunks are, and keeping
 * each one separately costs 400 bytes. Counts the memory actually held, and waits for it when the body is large.
 */
export class KeptBytes implements UnfinishedBody {
  readonly #budget: BodyBudget;
  readonly #options: KeptBytesOptions;
  /** The memory that a complete or a large body holds. */
  #lease: Lease | undefined;
  /** The memory that a small body holds while it arrives, or a large one before it has its own. */
  #growing: GrowingLease | undefined;
  #buffer: Buffer | undefined;
  #length = 0;
  #checks: BodyChecks | undefined;
  #isLarge = false;
  #stopWaiting: (() => void) | undefined;
  /** Whether the body is waiting for memory. */
  waits = false;
  arrivedBytes = 0;

  constructor(budget: BodyBudget, options: KeptBytesOptions) {
    this.#budget = budget;
    this.#options = options;
    if ((options.announcedBytes ?? 0) > smallBodyBytesMax) this.#becomeLarge();
  }

  giveWay(refusal: ApiError): void {
    this.release();
    this.#options.onRefusal(refusal);
  }

  add(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    this.arrivedBytes = length;
    if (!this.#makeRoom(chunk, length)) return;
    if (this.#buffer !== chunk) chunk.copy(this.#buffer as Buffer, this.#length);
    this.#length = length;
    if (length > smallBodyBytesMax) this.#check();
    if (length > smallBodyBytesMax && !this.waits && !this.#isLarge) this.#becomeLarge();
  }

  finish(): ReceivedBody | Promise<ReceivedBody> {
    this.#endWait();
    this.#growing?.finish();
    const bytes = (this.#buffer ?? Buffer.alloc(0)).subarray(0, this.#length);
    if (this.#checks === undefined) return { bytes };
    return this.#checks.finish(bytes).then((checked) => ({ bytes, ...checked }));
  }

  release(): void {
    this.#endWait();
    this.#lease?.release();
    this.#releaseSmall();
    this.#buffer = undefined;
  }

  #check(): void {
    this.#checks ??= new BodyChecks();
    this.#checks.add((this.#buffer as Buffer).subarray(0, this.#length));
  }

  /** Returns false when there is no memory for the chunk. */
  #makeRoom(chunk: Buffer, length: number): boolean {
    if (this.#buffer !== undefined && length <= this.#buffer.length) return true;
    // Most bodies are one chunk, which is already a separate copy.
    const isWhole = this.#buffer === undefined && chunk.length === this.#options.announcedBytes;
    const capacity = isWhole ? length : this.#capacityFor(length);
    if (!this.#isLarge && !this.#chargeSmall(capacity + bodyOverheadBytes, isWhole)) return false;
    this.#buffer = isWhole ? chunk : this.#grown(capacity);
    return true;
  }

  /** A small body takes what has arrived, and not what it announces: announcing costs nothing. */
  #capacityFor(length: number): number {
    const { announcedBytes, bytesMax } = this.#options;
    if (this.#isLarge && announcedBytes !== undefined) return Math.max(length, announcedBytes);
    const grown = Math.min(announcedBytes ?? bytesMax, Math.max(growthBytesMin, 2 * length));
    return Math.max(length, grown);
  }

  #grown(capacity: number): Buffer {
    const buffer = Buffer.allocUnsafeSlow(capacity);
    this.#buffer?.copy(buffer, 0, 0, this.#length);
    return buffer;
  }

  #chargeSmall(bytes: number, isWhole: boolean): boolean {
    const { small } = this.#budget;
    const { holder, onRefusal } = this.#options;
    try {
      if (isWhole) this.#lease = small.take(bytes, holder);
      else if (this.#growing === undefined) this.#growing = small.hold(bytes, holder, this);
      else this.#growing.growTo(bytes);
    } catch (refusal) {
      if (this.#isLarge) return true;
      onRefusal(refusal as ApiError);
      return false;
    }
    // It may have become large meanwhile: another body that waited for large memory gave way.
    if (this.#isLarge) this.#releaseSmall();
    return true;
  }

  #releaseSmall(): void {
    this.#growing?.release();
    this.#growing = undefined;
  }

  /** Moves from the reserve for small bodies to the large pool; the sender waits until there is room. */
  #becomeLarge(): void {
    const { announcedBytes, bytesMax, holder, onRefusal } = this.#options;
    const bytes = (announcedBytes ?? bytesMax) + bodyOverheadBytes;
    const lease = this.#budget.tryTakeLarge(bytes, holder);
    if (lease !== undefined) {
      this.#growUnder(lease);
      return;
    }
    this.waits = true;
    this.#stopWaiting = this.#budget.waitForLarge(bytes, holder, {
      onGrant: (granted) => {
        this.#endWait();
        this.#growUnder(granted);
      },
      onRefusal,
    });
    // Let bytes that have already arrived through first: each chunk held back would be an object of its own.
    setImmediate(() => this.waits && this.#stop());
  }

  #growUnder(lease: Lease): void {
    this.#releaseSmall();
    this.#lease?.release();
    this.#lease = lease;
    this.#isLarge = true;
  }

  #stop(): void {
    this.#options.flow.pause();
    this.#options.flow.socket.pause();
  }

  #endWait(): void {
    if (!this.waits) return;
    this.waits = false;
    this.#stopWaiting?.();
    if (!this.#options.flow.isPaused()) return;
    this.#options.flow.resume();
    this.#options.flow.socket.resume();
  }
}
