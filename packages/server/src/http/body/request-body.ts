import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../api-error.ts';
import type { IncomingBody, ReceivedBody } from '../../pipeline/call.ts';
import { type ArrivalWatch, type Arriving, rateMin } from './arrival-watch.ts';
import type { BodyBudget } from './body-budget.ts';
import { KeptBytes } from './kept-bytes.ts';
import { networkOf } from './network-of.ts';

/** What is read and thrown away of a body over the limit, so that its sender gets to read the answer. */
const discardedBytesMax = 64 * 1024 * 1024;

/** What all bodies of a server have in common. */
export interface BodyParts {
  readonly budget: BodyBudget;
  readonly watch: ArrivalWatch;
}

/**
 * The body of one request. Nothing of it is kept before {@link receive}. A body that is refused is still taken in,
 * within bounds, because a connection closed on a sender in the middle of its body loses the answer.
 */
export class RequestBody implements IncomingBody, Arriving {
  readonly #payload: IncomingMessage;
  readonly #bytesMax: number;
  readonly #parts: BodyParts;
  readonly #announcedBytes: number | undefined;
  readonly #address: string | undefined;
  readonly #ended = Promise.withResolvers<void>();
  #listens = false;
  #kept: KeptBytes | undefined;
  #refusal: ApiError | undefined;
  receivedBytes = 0;
  /** Whether the connection cannot be used again: the rest of the body is not waited for. */
  wasCut = false;

  /** @param address the client's, where it is known */
  constructor(payload: IncomingMessage, bytesMax: number, parts: BodyParts, address?: string) {
    this.#payload = payload;
    this.#bytesMax = bytesMax;
    this.#parts = parts;
    this.#address = address;
    const { 'content-length': length } = payload.headers;
    this.#announcedBytes = length === undefined ? undefined : Number(length);
  }

  get expectedBytes(): number {
    return this.#announcedBytes ?? this.receivedBytes;
  }

  get waits(): boolean {
    return this.#kept?.waits === true;
  }

  async receive(): Promise<ReceivedBody> {
    if ((this.#announcedBytes ?? 0) > this.#bytesMax) this.#refuse(tooLarge(this.#bytesMax));
    else this.#keep();
    await this.#wholeBody();
    if (this.#refusal !== undefined || this.#kept === undefined) throw this.#refusal;
    return this.#kept.finish();
  }

  /** Takes in what is left of the body and keeps nothing. Throws 1004 when it is too large. */
  async drain(): Promise<void> {
    this.release();
    await this.#wholeBody();
    if (this.#refusal?.code === 1004) throw this.#refusal;
  }

  /** Gives the memory back. To be called once nobody needs the bytes any more. */
  release(): void {
    this.#kept?.release();
    this.#kept = undefined;
  }

  /** Called by the watch. */
  cut(): void {
    this.wasCut = true;
    this.#refuse(tooSlow(this.expectedBytes));
    this.#ended.resolve();
  }

  #keep(): void {
    this.#kept = new KeptBytes(this.#parts.budget, {
      announcedBytes: this.#announcedBytes,
      bytesMax: this.#bytesMax,
      holder: this.#address && networkOf(this.#address),
      flow: this.#payload,
      onRefusal: (refusal) => this.#refuse(refusal),
    });
  }

  #wholeBody(): Promise<void> {
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
    watch.add(this);
    this.#payload
      .on('data', (chunk: Buffer) => this.#take(chunk, end))
      .on('end', () => end())
      .on('error', (cause) => end(brokenOff(cause)))
      .on('close', () => end(this.#payload.complete ? undefined : brokenOff()));
  }

  #take(chunk: Buffer, end: () => void): void {
    this.receivedBytes += chunk.length;
    if (this.receivedBytes > this.#bytesMax) this.#refuse(tooLarge(this.#bytesMax), true);
    this.#kept?.add(chunk);
    if (this.receivedBytes > this.#bytesMax + discardedBytesMax) end();
  }

  /** @param first whether it goes before a refusal that was there already */
  #refuse(refusal: ApiError, first = false): void {
    this.#refusal = first ? refusal : (this.#refusal ?? refusal);
    this.release();
  }
}

function tooLarge(bytesMax: number): ApiError {
  return new ApiError(1004, `the body is larger than the limit of ${bytesMax} bytes`);
}

function tooSlow(expectedBytes: number): ApiError {
  const rate = rateMin(expectedBytes);
  return new ApiError(1001, `the body arrives too slowly: send at least ${rate} bytes a second`);
}

function brokenOff(cause?: unknown): ApiError {
  return new ApiError(1001, 'the body ended before its announced length', { cause });
}
