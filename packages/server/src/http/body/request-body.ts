import type { IncomingMessage } from 'node:http';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { ApiError } from '../../errors/api-error.ts';
import type { IncomingBody, ReceivedBody } from '../../pipeline/call.ts';
import { type ArrivalWatch, type Arriving, rateMin } from './arrival-watch.ts';
import type { BodyBudget } from './body-budget.ts';
import { bodyHolder } from './body-holder.ts';
import type { BodyLimit } from './body-limits.ts';
import { sendContinue, waitsForContinue } from './expect-continue.ts';
import { KeptBytes } from './kept-bytes.ts';

/** Bytes beyond the limit that are read and discarded, so that the sender gets to read the answer. */
const discardedBytesMax = 64 * 1024 * 1024;

/** The memory budget and the watch that all request bodies of a server share. */
export interface BodyParts {
  readonly budget: BodyBudget;
  readonly watch: ArrivalWatch;
}

interface RequestBodyOptions {
  readonly limit: BodyLimit;
  readonly parts: BodyParts;
  /** The client's address, if known. */
  readonly address: string | undefined;
}

/**
 * The body of one request. None of it is kept before {@link receive}. A refused body is still read, within bounds:
 * closing the connection in the middle of a body would lose the answer. A client that waits for `100 Continue` has the
 * answer in its place, and sends no body.
 */
export class RequestBody implements IncomingBody, Arriving {
  readonly #payload: IncomingMessage;
  readonly #limit: BodyLimit;
  readonly #parts: BodyParts;
  readonly #announcedBytes: number | undefined;
  readonly #address: string | undefined;
  readonly #ended = Promise.withResolvers<void>();
  #listens = false;
  #kept: KeptBytes | undefined;
  #refusal: ApiError | undefined;
  receivedBytes = 0;
  /** Whether reading was cut short, so that the connection cannot be reused. */
  wasCut = false;

  constructor(payload: IncomingMessage, { limit, parts, address }: RequestBodyOptions) {
    this.#payload = payload;
    this.#limit = limit;
    this.#parts = parts;
    this.#address = address;
    const { 'content-length': length } = payload.headers;
    this.#announcedBytes = length === undefined ? undefined : Number(length);
  }

  get expectedBytes(): number {
    return this.#announcedBytes ?? this.receivedBytes;
  }

  get waits(): boolean {
    return this.#kept?.waits === true || this.#payload.waitsForTurn === true;
  }

  async receive(): Promise<ReceivedBody> {
    if (this.#isAnnouncedTooLarge()) this.#refuse(tooLarge(this.#limit));
    else this.#keep();
    if (this.#refusal !== undefined && waitsForContinue(this.#payload) && (await this.#isHeldBack()))
      throw this.#refusal;
    await this.#wholeBody();
    // A refusal has given the memory back.
    if (this.#kept === undefined) throw this.#refusal;
    return this.#kept.finish();
  }

  /** Reads and discards the rest of the body. Throws 1004 when it is too large. */
  async drain(): Promise<void> {
    this.release();
    if (waitsForContinue(this.#payload) && (await this.#isHeldBack())) {
      if (this.#isAnnouncedTooLarge()) throw tooLarge(this.#limit);
      return;
    }
    await this.#wholeBody();
    if (this.#refusal?.code === 1004) throw this.#refusal;
  }

  /** Gives the memory back. Call it once the bytes are no longer needed. */
  release(): void {
    this.#kept?.release();
    this.#kept = undefined;
  }

  /** The watch calls this when the body arrives too slowly. */
  cut(): void {
    this.wasCut = true;
    this.#refuse(tooSlow(this.expectedBytes));
    this.#ended.resolve();
  }

  #isAnnouncedTooLarge(): boolean {
    return (this.#announcedBytes ?? 0) > this.#limit.bytesMax;
  }

  /**
   * Returns whether the client still waits at the end of this iteration of the event loop.
   * By then, a body that came in one packet with the headers is here.
   */
  async #isHeldBack(): Promise<boolean> {
    await nextIteration();
    return waitsForContinue(this.#payload);
  }

  #keep(): void {
    this.#kept = new KeptBytes(this.#parts.budget, {
      announcedBytes: this.#announcedBytes,
      bytesMax: this.#limit.bytesMax,
      holder: bodyHolder(this.#address, this.#payload.socket.remoteAddress),
      flow: this.#payload,
      onRefusal: (refusal) => this.#refuse(refusal),
    });
  }

  #wholeBody(): Promise<void> {
    sendContinue(this.#payload);
    if (!this.#listens) this.#listen();
    return this.#ended.promise;
  }

  #listen(): void {
    this.#listens = true;
    const { watch } = this.#parts;
    const end = (refusal?: ApiError) => {
      watch.remove(this);
      if (refusal !== undefined) this.#refuse(refusal);
      this.#ended.resolve();
    };
    // No event tells of a client that left before its body was asked for.
    if (this.#payload.destroyed) {
      end(brokenOff());
      return;
    }
    watch.add(this);
    this.#payload
      .on('data', (chunk: Buffer) => this.#take(chunk, end))
      .on('end', () => end())
      .on('error', (cause) => end(brokenOff(cause)))
      .on('close', () => end(this.#payload.complete ? undefined : brokenOff()));
  }

  #take(chunk: Buffer, end: () => void): void {
    this.receivedBytes += chunk.length;
    if (this.receivedBytes > this.#limit.bytesMax) this.#refuse(tooLarge(this.#limit), true);
    this.#kept?.add(chunk);
    if (this.receivedBytes <= this.#limit.bytesMax + discardedBytesMax) return;
    this.wasCut = true;
    end();
  }

  /** @param first whether it takes precedence over an earlier refusal */
  #refuse(refusal: ApiError, first = false): void {
    this.#refusal = first ? refusal : (this.#refusal ?? refusal);
    this.release();
  }
}

function tooLarge({ bytesMax, setting }: BodyLimit): ApiError {
  return new ApiError(
    1004,
    setting === undefined
      ? `the body is larger than the limit of ${bytesMax} bytes; send less`
      : `the body is larger than the limit of ${bytesMax} bytes; send less, or ask the operator to raise ${setting}`,
  );
}

function tooSlow(expectedBytes: number): ApiError {
  return new ApiError(1001, { key: 'slowBody', values: { bytesPerSecond: rateMin(expectedBytes) } });
}

function brokenOff(cause?: unknown): ApiError {
  return new ApiError(1001, { key: 'brokenBody', values: {} }, { cause });
}
