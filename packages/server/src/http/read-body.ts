import type { Readable } from 'node:stream';
import { ApiError } from '../api-error.ts';

/** What is read and thrown away of a body over the limit, so that its sender gets to read the answer. */
const discardedBytesMax = 64 * 1024 * 1024;

/** Bytes of all bodies that are being received at once; beyond it anyone could use up the memory. */
const heldBytesMax = 512 * 1024 * 1024;

let heldBytes = 0;

/**
 * Reads a body and counts while reading: beyond the limit nothing more is kept. The rest is still taken in,
 * within bounds, because a connection closed on a sender in the middle of its body loses the answer.
 *
 * @throws {ApiError} 1004 when the body is larger than `bytesMax`, 1503 when too much is being received
 */
export async function readBody(payload: Readable, bytesMax: number): Promise<Buffer> {
  const received = new ReceivedBody(bytesMax);
  try {
    return await receive(payload, received);
  } finally {
    received.letGo();
  }
}

function receive(payload: Readable, received: ReceivedBody): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  payload.on('data', (chunk: Buffer) => {
    received.add(chunk);
    if (received.isBeyondPatience()) reject(received.refusal);
  });
  payload.on('end', () => (received.refusal ? reject(received.refusal) : resolve(received.toBuffer())));
  payload.on('error', (cause) => reject(brokenOff(cause)));
  payload.on('close', () => reject(brokenOff()));
  return promise;
}

class ReceivedBody {
  refusal: ApiError | undefined;
  readonly #bytesMax: number;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #held = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#bytesMax) this.#refuse(tooLarge(this.#bytesMax));
    else if (heldBytes + chunk.length > heldBytesMax) this.#refuse(tooMuchAtOnce());
    if (this.refusal !== undefined) return;
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    heldBytes += chunk.length;
  }

  /** Whether the sender has sent so much more that it will not be listened to any longer. */
  isBeyondPatience(): boolean {
    return this.#bytes > this.#bytesMax + discardedBytesMax;
  }

  toBuffer(): Buffer {
    return Buffer.concat(this.#chunks, this.#bytes);
  }

  letGo(): void {
    this.#chunks = [];
    heldBytes -= this.#held;
    this.#held = 0;
  }

  #refuse(refusal: ApiError): void {
    this.refusal ??= refusal;
    this.letGo();
  }
}

function tooLarge(bytesMax: number): ApiError {
  return new ApiError(1004, `the body is larger than the limit of ${bytesMax} bytes`);
}

function tooMuchAtOnce(): ApiError {
  return new ApiError(
    1503,
    'the server is receiving too much at once; send the same request again in a moment',
    {
      retryAfterSeconds: 1,
    },
  );
}

function brokenOff(cause?: unknown): ApiError {
  return new ApiError(1001, 'the body ended before its announced length', { cause });
}
