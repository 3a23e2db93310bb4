import type { Holder } from '../../fairness/memory-pool.ts';
import { type Lease, MemoryQueue } from '../../fairness/memory-queue.ts';
import { releaseAfter, waitForMemory } from '../../fairness/run-with-memory.ts';
import type { MetricSource } from '../../metrics/metric-source.ts';
import type { Deadline } from '../../time/deadline.ts';
import { carryTrace, inSpan } from '../../tracing/trace.ts';
import type { Call } from '../call.ts';

/** Smaller bodies are carried out at once. */
const largeBytesMin = 64 * 1024;

/** Bodies up to this size have memory of their own, so that they do not wait for the largest, which take half a minute. */
const middleBytesMax = 1024 * 1024;

/** How long a body waits at most, in milliseconds; `upkeep/claims-upkeep.ts` counts on a write to begin in time. */
const waitMsMax = 60_000;

/** Each object counts as this many bytes more: an empty entry of a batch is answered with a hundred times its size. */
const objectBytes = 100;

/** No operation takes more entries. */
const objectsMax = 10_000;

/** A smaller body makes little, whatever it has. */
const countedBytesMin = 1024;

/** The objects of a larger body are not counted: it is taken to have as many as an operation allows. */
const countedBytesMax = 1024 * 1024;

/** A verified call that may have a body. */
interface CallWithBody {
  readonly call: Pick<Call, 'disconnectSignal'>;
  readonly body: Uint8Array;
  readonly deadline: Deadline;
}

/** A call whose turn it is. */
export interface BodyTurn {
  readonly hasWaited: boolean;
  /**
   * Gives the memory back before the call ends. Call it once the body is parsed, unless what was read grows with the body:
   * a costly password hash waits for the same memory, and would wait for what its own call holds.
   */
  giveBack(): void;
}

/**
 * Bounds how many large bodies are carried out at once. Parsed, planned and answered, a batch takes up to twelve times
 * the memory of its body, which itself waits in little. Applications take turns.
 */
export class LargeBodies {
  readonly #middle: MemoryQueue;
  readonly #largest: MemoryQueue;

  readonly #bytesMax: number;

  /**
   * @param bytesMax how many bytes the bodies of more than 1 MiB may have together that are carried out at once
   * @param middleBytesMax how many bytes the smaller ones may have besides
   * @param largest hands out the memory for the larger ones, also to others
   */
  constructor(bytesMax: number, middleBytesMax: number, largest = new MemoryQueue(bytesMax)) {
    this.#bytesMax = bytesMax;
    this.#middle = new MemoryQueue(middleBytesMax);
    this.#largest = largest;
  }

  metricSources(): readonly MetricSource[] {
    return [
      {
        type: 'gauge',
        name: 'fieldroster_queued_large_bodies',
        help: 'Received bodies of more than 64 KiB that wait until others are carried out',
        ofWorkers: 'sum',
        read: () => this.#middle.waiting + this.#largest.waiting,
      },
    ];
  }

  /**
   * Carries out a call in its turn if its body is large, and any other at once.
   *
   * @throws {BusyError} when too many bodies wait, or while this one waits, its deadline or a minute passes or
   *   its caller disconnects
   */
  run<T>({ call, body, deadline }: CallWithBody, work: (turn: BodyTurn) => Promise<T>): Promise<T> {
    const bytes = Math.min(weigh(body), Math.max(body.length, this.#bytesMax));
    if (bytes <= largeBytesMin) return work(withoutLease);
    const memory = body.length <= middleBytesMax ? this.#middle : this.#largest;
    const holder = holderOf(deadline);
    const lease = memory.tryTake(bytes, holder);
    if (lease !== undefined) return releaseAfter(lease, () => work(turnWith(lease, false)));
    const waitMs = Math.min(waitMsMax, deadline.remainingMs);
    const wanted = { bytes, holder, waitMs, signal: call.disconnectSignal() };
    const granted = inSpan('large body', {}, () => waitForMemory(memory, wanted));
    return granted.then(carryTrace((given: Lease) => releaseAfter(given, () => work(turnWith(given, true)))));
  }
}

const withoutLease: BodyTurn = { hasWaited: false, giveBack() {} };

function turnWith(lease: Lease, hasWaited: boolean): BodyTurn {
  return { hasWaited, giveBack: () => lease.release() };
}

/** Returns the bytes of a body with those of the objects that it makes. */
function weigh(body: Uint8Array): number {
  if (body.length < countedBytesMin) return body.length;
  if (body.length > countedBytesMax) return body.length + objectsMax * objectBytes;
  return body.length + countObjects(body) * objectBytes;
}

/** Counts no further than an operation allows. A loop takes less time than a call of `indexOf` for each object. */
function countObjects(body: Uint8Array): number {
  let objects = 0;
  for (let at = 0; at < body.length && objects < objectsMax; at += 1)
    if (body[at] === openingBrace) objects += 1;
  return objects;
}

function holderOf({ owner }: Deadline): Holder {
  return { name: owner, partMax: 1 / 2 };
}

const openingBrace = '{'.charCodeAt(0);
