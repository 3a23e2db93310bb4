/** How many failed calls one process keeps in a minute. Further ones are only counted. */
export const failuresPerMinute = {
  /** For all failures together. */
  all: 600,
  /** For all callers that proved no APPID, so that strangers leave room for the applications. */
  unverified: 300,
  /** For each network, if the caller proved no APPID. */
  network: 60,
  /** For each code of a network, if the caller proved no APPID, so that one loop leaves room for others. */
  networkCode: 40,
  /** For each operation and code of an application, so that one loop leaves room for others. */
  kind: 60,
} as const;

/** The properties of a failure that the limits depend on. */
export interface LimitedFailure {
  readonly verified: boolean;
  readonly appId: string | undefined;
  readonly operation: string | undefined;
  readonly code: number;
  /** The network that counts as one sender. */
  readonly network: string | undefined;
}

/** Decides which failed calls are kept, so that no caller can fill the disk or push out all others. */
export class FailureLimits {
  #minute = Number.NaN;
  #all = 0;
  #unverified = 0;
  /** By network, network and code, or kind. Bounded: only failures that are kept add to it. */
  readonly #groups = new Map<string, number>();

  /** Returns whether the failure is kept, and counts it if so. */
  admit(failure: LimitedFailure, nowMs: number): boolean {
    this.#renew(Math.floor(nowMs / 60_000));
    if (this.#all >= failuresPerMinute.all) return false;
    if (!failure.verified && this.#unverified >= failuresPerMinute.unverified) return false;
    const groups = groupsOf(failure);
    if (groups.some(([group, max]) => this.#countOf(group) >= max)) return false;
    for (const [group] of groups) this.#groups.set(group, this.#countOf(group) + 1);
    this.#all += 1;
    if (!failure.verified) this.#unverified += 1;
    return true;
  }

  #countOf(group: string): number {
    return this.#groups.get(group) ?? 0;
  }

  #renew(minute: number): void {
    if (minute === this.#minute) return;
    this.#minute = minute;
    this.#all = 0;
    this.#unverified = 0;
    this.#groups.clear();
  }
}

/** Returns the groups that a failure belongs to, each with its limit. */
function groupsOf(failure: LimitedFailure): readonly (readonly [group: string, max: number])[] {
  const { verified, appId, operation, code, network } = failure;
  if (verified) return [[`${appId} ${operation} ${code}`, failuresPerMinute.kind]];
  return [
    [`from ${network}`, failuresPerMinute.network],
    [`from ${network} ${code}`, failuresPerMinute.networkCode],
  ];
}
