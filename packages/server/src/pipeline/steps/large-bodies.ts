import { DatabaseBusyError } from '../../database/database.ts';
import { type Lease, MemoryQueue } from '../../fairness/memory-queue.ts';
import type { MetricSource } from '../../metrics/metric-source.ts';
import type { Deadline } from '../../time/deadline.ts';
import { carryTrace, inSpan } from '../../tracing/trace.ts';
import type { Call } from '../call.ts';

/** Smaller bodies are carried out at once. */
const largeBytesMin = 64 * 1024;

/** A verified call that has a body. */
interface CallWithBody {
  readonly call: Pick<Call, 'disconnectSignal'>;
  readonly bodyBytes: number;
  readonly deadline: Deadline;
}

/**
 * Bounds how many large bodies are carried out at once. Parsed, planned and answered, a batch takes up to twelve times
 * the memory of its body, which itself waits in little. One application gets at most half of the room.
 */
export class LargeBodies {
  readonly #memory: MemoryQueue;

  /** @param bytesMax how many bytes the bodies that are carried out at once may have together */
  constructor(bytesMax: number) {
    this.#memory = new MemoryQueue(bytesMax);
  }

  metricSources(): readonly MetricSource[] {
    return [
      {
        type: 'gauge',
        name: 'fieldroster_queued_large_bodies',
        help: 'Received bodies of more than 64 KiB that wait until others are carried out',
        ofWorkers: 'sum',
        read: () => this.#memory.waiting,
      },
    ];
  }

  /**
   * Carries out a call in its turn if its body is large, and any other at once.
   *
   * @throws {DatabaseBusyError} when too many bodies wait, or while this one waits, its deadline passes or its caller
   *   disconnects
   */
  run<T>(waiting: CallWithBody, work: () => Promise<T>): Promise<T> {
    const { bodyBytes, deadline } = waiting;
    if (bodyBytes <= largeBytesMin) return work();
    const lease = this.#memory.tryTake(bodyBytes, deadline.owner);
    if (lease !== undefined) return releaseAfter(lease, work);
    const workInTrace = carryTrace((granted: Lease) => releaseAfter(granted, work));
    return inSpan('large body', {}, async () => workInTrace(await this.#wait(waiting)));
  }

  #wait({ call, bodyBytes, deadline }: CallWithBody): Promise<Lease> {
    const signal = call.disconnectSignal();
    const { promise, resolve, reject } = Promise.withResolvers<Lease>();
    const refuse = (cause: string) => reject(new DatabaseBusyError(cause));
    const { owner, remainingMs: waitMs } = deadline;
    const leave = this.#memory.wait(bodyBytes, owner, { waitMs, onGrant: resolve, onRefusal: refuse });
    const leaveEarly = () => {
      leave();
      refuse('the caller has disconnected');
    };
    if (signal.aborted) leaveEarly();
    signal.addEventListener('abort', leaveEarly, { once: true });
    return promise.finally(() => signal.removeEventListener('abort', leaveEarly));
  }
}

async function releaseAfter<T>(lease: Lease, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    lease.release();
  }
}
