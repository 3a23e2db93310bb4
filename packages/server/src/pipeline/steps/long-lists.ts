import { FairQueue } from '../../fairness/fair-queue.ts';
import { fairQueueMetrics } from '../../metrics/fair-queue-metrics.ts';
import type { MetricSource } from '../../metrics/metric-source.ts';
import { LongList } from '../../operations/long-list.ts';
import { currentDeadline, type Deadline, runUnderDeadline } from '../../time/deadline.ts';
import { withinMs } from '../../time/within-ms.ts';
import { carryTrace, inSpan } from '../../tracing/trace.ts';
import type { OperationCall } from '../call.ts';
import { deadlineOfNextPart } from '../call-deadline.ts';
import { type AnswerInPieces, presentLongList } from './present-answer.ts';

/**
 * Long lists whose answers begin at once. Each holds its codes and a slice, up to 10 MB and the garbage of earlier
 * slices.
 */
const slots = 8;

/**
 * How long an answer may keep its slot, so that a slow client does not keep others from their lists. By then,
 * `http/limits/unread-answers.ts` has checked twice whether the client reads, and bounds the memory of those that do not.
 */
const slotMs = 1_000;

/** Long lists of one application that may wait in a burst. */
const burstMax = 500;

/**
 * The same while lists have been waiting without a break. If no client reads and no other application's lists wait, the
 * last one waits for eight seconds.
 */
const standingMax = 64;

/** Rough memory of an entry's code, which is held until the entry is read, in bytes. */
const codeBytes = 128;

/** Rough memory of an entry of the slice that is sent, in bytes, and how many entries a slice has at most. */
const slice = { entryBytes: 2 * 1024, entriesMax: 1_000 };

/** Answers lists that are too long to hold. Bounds how many begin at once, and lets applications take turns. */
export class LongLists {
  readonly #queue = new FairQueue({ things: 'long lists', slots, burstMax, standingMax });

  metricSources(): readonly MetricSource[] {
    return fairQueueMetrics(this.#queue, {
      names: {
        running: 'fieldroster_running_long_lists',
        queued: 'fieldroster_queued_long_lists',
        refused: 'fieldroster_long_lists_refused_total',
      },
      jobs: 'Lists of more than 200 stores of a user',
      slots: `${slots} in each process, each for a second at most`,
    });
  }

  /**
   * Begins the answer if it is such a list; returns `undefined` for the others. Resolves once the first slice is read, so
   * that a failure until then is answered like any other.
   *
   * @throws {BusyError} when too many lists of the application wait, or this one waits for too long
   */
  begin(call: OperationCall, list: object | undefined): Promise<AnswerInPieces> | undefined {
    if (!(list instanceof LongList)) return undefined;
    const deadline = currentDeadline();
    if (deadline === undefined) throw new TypeError('a long list has no deadline');
    const begun = Promise.withResolvers<AnswerInPieces>();
    const answerList = async () => {
      const { answer, ended } = await runUnderDeadline(deadline, () => beginAnswer(call, list, deadline));
      begun.resolve(answer);
      await withinMs(ended, slotMs, () => {});
    };
    const job = { owner: deadline.owner, deadline, signal: call.disconnectSignal() };
    this.#queue.run(job, carryTrace(answerList)).catch(begun.reject);
    return inSpan('long list', {}, () => begun.promise);
  }
}

async function beginAnswer(call: OperationCall, list: LongList<object>, deadline: Deadline) {
  const { count, slices } = await list.open();
  const pieces = presentLongList(call.key, list.data, underDeadlines(slices, deadline));
  const first = await pieces.next();
  const end = Promise.withResolvers<void>();
  // The generator below never starts if its client leaves before the answer begins.
  const gone = call.disconnectSignal();
  const leave = () => {
    end.resolve();
    // The list is not read on, so a failure to end it concerns nobody.
    pieces.return(undefined).catch(() => {});
  };
  if (gone.aborted) leave();
  gone.addEventListener('abort', leave, { once: true });
  async function* followed(): AsyncGenerator<Buffer> {
    try {
      if (first.done !== true) yield first.value;
      yield* pieces;
    } finally {
      end.resolve();
      await pieces.return(undefined);
    }
  }
  const answer = {
    pieces: followed(),
    heldBytes: count * codeBytes + Math.min(count, slice.entriesMax) * slice.entryBytes,
  };
  return { answer, ended: end.promise };
}

/**
 * Reads the first slice under the deadline of the call. Later ones are read outside the call, each under a deadline of its
 * own.
 */
async function* underDeadlines<T>(slices: AsyncIterable<T>, ofCall: Deadline): AsyncGenerator<T> {
  const iterator = slices[Symbol.asyncIterator]();
  const next = carryTrace(() => iterator.next());
  try {
    for (let deadline = ofCall; ; deadline = deadlineOfNextPart(ofCall.owner)) {
      const { done, value } = await runUnderDeadline(deadline, next);
      if (done === true) return;
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
