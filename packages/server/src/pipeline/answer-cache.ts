import { LRUCache } from 'lru-cache';
import type { ReplayRule } from '../config.ts';
import type { Database, DataVersion } from '../database/database.ts';
import type { Call } from './call.ts';
import type { Answer } from './present-answer.ts';
import type { Caller } from './verify-signature.ts';

/** What the cache has for a request, where its answer is kept, and the state of the database that it belongs to. */
export interface CacheLookup {
  readonly key: string;
  readonly version: DataVersion;
  readonly answer: Answer | undefined;
}

const answersMax = 32_768;
const charactersMax = 16 * 1024 * 1024;
const charactersOfAnswerMax = 16 * 1024;

/**
 * The answers that reads were given lately. A read is answered by nothing but the tenant, the scope, what was asked
 * and what is committed, so that its answer is good until something is committed, by whatever process: then all
 * of them are dropped.
 */
export class AnswerCache {
  readonly #database: Pick<Database, 'dataVersion'>;
  readonly #answers = new LRUCache<string, Answer>({
    max: answersMax,
    maxSize: charactersMax,
    maxEntrySize: charactersOfAnswerMax,
    sizeCalculation: ({ body }, key) => body.length + key.length,
  });
  readonly #replay: ReplayRule;
  #version: DataVersion | undefined;

  constructor(database: Pick<Database, 'dataVersion'>, replay: ReplayRule) {
    this.#database = database;
    this.#replay = replay;
  }

  /** Looks an answer up. Returns nothing for calls whose answers are not kept. */
  async find(call: Call, caller: Caller): Promise<CacheLookup | undefined> {
    // Where every nonce is claimed, each read is a commit.
    if (this.#replay === 'nonce') return undefined;
    const key = keyOf(call, caller);
    if (key === undefined) return undefined;
    // What will be read is no older than the version that was seen last, and is given again at that one alone.
    const answer = this.#answers.get(key);
    if (answer === undefined && this.#version !== undefined) return { key, version: this.#version, answer };
    const before = this.#version;
    const version = await this.#database.dataVersion();
    if (version === before) return { key, version, answer };
    if (version !== this.#version) {
      this.#answers.clear();
      this.#version = version;
    }
    return { key, version, answer: undefined };
  }

  /** Keeps an answer, unless something was committed since the lookup: it may be older than that commit. */
  keep({ key, version }: CacheLookup, answer: Answer): void {
    if (version === this.#version) this.#answers.set(key, answer);
  }
}

/** Answers to an ambiguous target are not kept: the target alone does not tell which parameters were signed. */
function keyOf({ operation, target }: Call, { application, ambiguous }: Caller): string | undefined {
  if (operation.access !== 'read' || operation.method !== 'GET' || ambiguous) return undefined;
  return `${application.tenantId} ${application.scope} ${target}`;
}
