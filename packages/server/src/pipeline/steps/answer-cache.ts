import { LRUCache } from 'lru-cache';
import type { ReplayRule } from '../../config.ts';
import type { Database, DataVersion } from '../../database/database.ts';
import type { MetricSource } from '../../metrics/metric-source.ts';
import type { Deadline } from '../../time/deadline.ts';
import type { Call } from '../call.ts';
import type { Answer } from './present-answer.ts';
import { RecentKeys } from './recent-keys.ts';
import type { Caller } from './verify-signature.ts';

/** Result of a lookup: the key of the request, the version of the data, and the cached answer if there is one. */
export interface CacheLookup {
  readonly key: string;
  readonly version: DataVersion;
  readonly answer: Answer | undefined;
}

const answersMax = 32_768;
const charactersMax = 16 * 1024 * 1024;
const charactersOfAnswerMax = 16 * 1024;

/**
 * Caches the answers of reads that are requested again. In a large directory, most requests are repeated only once in a
 * while; keeping their answers too would cost a quarter of the throughput, in garbage collection. An answer depends
 * only on the tenant, the scope, the target and the committed data, so it stays valid until any process commits
 * something. Then all answers are dropped.
 */
export class AnswerCache {
  readonly #database: Pick<Database, 'dataVersion'>;
  readonly #answers = new LRUCache<string, Answer>({
    max: answersMax,
    maxSize: charactersMax,
    maxEntrySize: charactersOfAnswerMax,
    sizeCalculation: ({ body }, key) => body.length + key.length,
  });
  readonly #asked = new RecentKeys();
  readonly #replay: ReplayRule;
  #version: DataVersion | undefined;
  #hits = 0;
  #misses = 0;

  constructor(database: Pick<Database, 'dataVersion'>, replay: ReplayRule) {
    this.#database = database;
    this.#replay = replay;
  }

  /** Looks up an answer. Returns `undefined` for calls whose answers are not cached. */
  async find(call: Call, caller: Caller, deadline?: Deadline): Promise<CacheLookup | undefined> {
    // When every nonce is claimed, each read is a commit.
    if (this.#replay === 'nonce') return undefined;
    const key = keyOf(call, caller);
    if (key === undefined) return undefined;
    // The coming read is at least as new as the last version seen, and its answer is reused at that version only.
    const answer = this.#answers.get(key);
    if (answer === undefined && this.#version !== undefined) {
      this.#misses += 1;
      return { key, version: this.#version, answer };
    }
    const before = this.#version;
    const version = await this.#database.dataVersion(deadline);
    if (version === before) {
      this.#hits += 1;
      return { key, version, answer };
    }
    this.#misses += 1;
    if (version !== this.#version) {
      this.#answers.clear();
      this.#version = version;
    }
    return { key, version, answer: undefined };
  }

  metricSources(): readonly MetricSource[] {
    return [
      {
        type: 'counter',
        name: 'fieldroster_answer_cache_hits_total',
        help: 'Reads answered from memory',
        read: () => this.#hits,
      },
      {
        type: 'counter',
        name: 'fieldroster_answer_cache_misses_total',
        help: 'Reads that could have been answered from memory and went to the database',
        read: () => this.#misses,
      },
    ];
  }

  /**
   * Keeps an answer that was asked for before, unless a newer version was seen since the lookup:
   * the answer may be older than that.
   */
  keep({ key, version }: CacheLookup, answer: Answer): void {
    if (this.#asked.note(key) && version === this.#version) this.#answers.set(key, answer);
  }
}

/**
 * Returns the key of a call, or `undefined` when its answer is not cached. An ambiguous target alone does not determine
 * which parameters were signed.
 */
function keyOf({ operation, target }: Call, { application, ambiguous }: Caller): string | undefined {
  if (operation.access !== 'read' || operation.method !== 'GET' || ambiguous) return undefined;
  return `${application.tenantId} ${application.scope} ${target}`;
}
