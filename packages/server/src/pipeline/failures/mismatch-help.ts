import type { CutShort } from '@fieldroster/contract/problems';
import { type FindMistakeOptions, findMistake } from '@fieldroster/signing';
import { threadMs } from '../../time/thread-ms.ts';

/**
 * Time that all searches together may use in each second, in milliseconds: a twentieth of one core. The limit is a time
 * and not a number of searches, because a stranger can send requests that are costly to search.
 */
const helpMsPerSecond = 50;

/** Time that one search may use, in milliseconds, because other requests wait for it. */
const searchMsMax = 25;

/** The same for the first search of a process, whose code is not compiled yet: it takes twice the time of later ones. */
const firstSearchMsMax = helpMsPerSecond;

/** Name under which a mismatch counts if no mistake was found, or none was looked for. */
const noMistake = 'unknown';

/**
 * Name under which every pair of mistakes counts: there are thousands, and a metric must not have a series for each.
 */
const severalMistakes = 'several';

/** What a search for the mistake behind a mismatch found. */
export interface MistakeSearch {
  /** The cause as a phrase; absent when none is known or the search was cut short. */
  readonly cause?: string;
  readonly cutShort?: CutShort;
}

/** Names the mistake behind a mismatched signature, as far as time permits. */
export class MismatchHelp {
  readonly #stopwatch: () => number;
  #second = Number.NaN;
  /** Negative after a search overran the budget; the next second pays for it. */
  #leftMs = 0;
  #searchMsMax = firstSearchMsMax;
  readonly #mistakes = new Map<string, number>([[noMistake, 0]]);

  /** @param stopwatch returns milliseconds of work since an arbitrary moment */
  constructor(stopwatch: () => number = threadMs) {
    this.#stopwatch = stopwatch;
  }

  /** @param nowMs Unix milliseconds */
  search(mismatch: FindMistakeOptions, nowMs: number): MistakeSearch {
    this.#renew(nowMs);
    const startedMs = this.#stopwatch();
    const spentMs = () => this.#stopwatch() - startedMs;
    // The sender is not verified, so the body must not be parsed, not even to find the cause.
    const request = { ...mismatch.request, mayParseBody: false };
    const longestMs = this.#searchMsMax;
    const limitMs = Math.min(longestMs, this.#leftMs);
    this.#searchMsMax = searchMsMax;
    let isCut = false;
    const mayGoOn = () => {
      isCut = spentMs() >= limitMs;
      return !isCut;
    };
    const found = findMistake({ ...mismatch, request, mayGoOn });
    this.#leftMs -= spentMs();
    this.#count(found?.name);
    if (found !== undefined) return { cause: found.cause };
    return isCut ? { cutShort: limitMs < longestMs ? 'others' : 'long' } : {};
  }

  /** How often each mistake was found in this process, by its name. */
  get mistakes(): ReadonlyMap<string, number> {
    return this.#mistakes;
  }

  #count(name = noMistake): void {
    const counted = name.includes('+') ? severalMistakes : name;
    this.#mistakes.set(counted, (this.#mistakes.get(counted) ?? 0) + 1);
  }

  #renew(nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    if (second === this.#second) return;
    this.#second = second;
    this.#leftMs = Math.min(helpMsPerSecond, this.#leftMs + helpMsPerSecond);
  }
}
