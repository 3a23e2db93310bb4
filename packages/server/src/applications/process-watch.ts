import type { KeyHolder } from '../database/database.ts';
import { goneAfterMs, isRunning, processPlace } from './process-place.ts';

/**
 * Decides over several looks which processes run. A report that is dated far ahead may be that of a running process,
 * from before the database's clock was set back. As that clock does not tell, such a process counts until its report
 * has stayed the same for so long, by this process's monotonic clock, that it must have ended.
 */
export class ProcessWatch {
  readonly #elapsedMs: () => number;
  readonly #reports = new Map<string, { readonly seenAtMs: number; readonly sinceMs: number }>();

  constructor(elapsedMs: () => number = () => performance.now()) {
    this.#elapsedMs = elapsedMs;
  }

  mayRun(holder: KeyHolder, nowMs: number): boolean {
    if (isRunning(holder, nowMs)) return true;
    const isDatedAhead = holder.place !== processPlace() && nowMs - holder.seenAtMs < -goneAfterMs;
    return isDatedAhead && !this.#isUnchanged(holder);
  }

  #isUnchanged({ processId, seenAtMs }: KeyHolder): boolean {
    const elapsedMs = this.#elapsedMs();
    const before = this.#reports.get(processId);
    if (before?.seenAtMs === seenAtMs) return elapsedMs - before.sinceMs > goneAfterMs;
    this.#reports.set(processId, { seenAtMs, sinceMs: elapsedMs });
    return false;
  }
}
