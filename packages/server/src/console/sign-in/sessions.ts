import { consoleLimits } from '@fieldroster/contract/console';
import type {
  AcceptanceClaim,
  OperatorRecord,
  OperatorSession,
  OperatorSessions,
  Operators,
  SessionEnd,
} from '../../database/database.ts';
import { isSameFactor } from './second-factor.ts';
import { hashToken, newToken } from './tokens.ts';

/** A session and the operator that it belongs to, as the database has them now. */
export interface SignedIn {
  readonly session: OperatorSession;
  readonly operator: OperatorRecord;
}

/** Where a session begins, so that its operator recognizes it in a list. */
export interface SessionOrigin {
  /** The browser, as it names itself. */
  readonly userAgent: string | undefined;
  /** The client's address, if known. */
  readonly address: string | undefined;
  /** The token that the browser had before. */
  readonly sessionToken?: string | undefined;
}

interface Parts {
  readonly operators: Operators;
  readonly operatorSessions: OperatorSessions;
  /** Unix milliseconds. */
  readonly now: () => number;
}

const idleMs = consoleLimits.sessionIdleSeconds * 1000;

/** A use so shortly before the end is written at once; the minutely writing may fail for as long. */
const nearEndMs = 3_600_000;

const ageMsMax = consoleLimits.sessionSecondsMax * 1000;

/** A browser names itself in about 120 characters; the rest of a longer name is of no use to its operator. */
const userAgentCharactersMax = 300;

/**
 * The sessions of operators. The operator is read with every call, so that a changed role, a disabled account or a new
 * password takes effect at once.
 */
export class Sessions {
  readonly #parts: Parts;
  /** Last uses that were not written yet, by the hash of the token. */
  #seen = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Begins a session; returns its token, which only the browser keeps. Ends the session that the browser had before: its
   * operator could no longer sign out of it, and somebody who stole its token could go on using it.
   *
   * @param operator as the database had it when the credentials were checked
   * @returns `undefined` if the password, the second factor or its recovery codes were changed, all sessions ended, or the
   *   operator disabled, since then
   */
  async begin(
    { id, passwordHash, totpSealed, sessionsFromMs }: OperatorRecord,
    { userAgent, address, sessionToken }: SessionOrigin,
  ): Promise<string | undefined> {
    const { operators, operatorSessions, now } = this.#parts;
    // First: if this fails, nobody would have the token of a session that has begun.
    if (sessionToken !== undefined) await this.end({ tokenHash: hashToken(sessionToken) });
    const token = newToken();
    const tokenHash = hashToken(token);
    const nowMs = now();
    // A node whose clock is ahead may have ended all sessions up to a time that this clock has not reached yet.
    const createdAtMs = Math.max(nowMs, sessionsFromMs);
    await operatorSessions.insert({
      tokenHash,
      operatorId: id,
      createdAtMs,
      seenAtMs: nowMs,
      ...(userAgent !== undefined && { userAgent: userAgent.slice(0, userAgentCharactersMax) }),
      ...(address !== undefined && { address }),
    });
    // Reads the operator last: a change ends the sessions that exist when it is committed, so either it ends this one,
    // or the operator read here shows it.
    const current = await operators.find(id);
    const isUnchanged =
      current?.passwordHash === passwordHash &&
      current.sessionsFromMs === sessionsFromMs &&
      isSameFactor(current.totpSealed, totpSealed);
    if (isUnchanged && current.status === 'active') return token;
    await operatorSessions.remove(tokenHash);
    return undefined;
  }

  /** Returns `undefined` unless the session is live and its operator may still use it. */
  async find(token: string): Promise<SignedIn | undefined> {
    const tokenHash = hashToken(token);
    const session = await this.#parts.operatorSessions.find(tokenHash);
    if (session === undefined || !this.#isLive(session)) return undefined;
    const operator = await this.#parts.operators.find(session.operatorId);
    if (operator === undefined || operator.status !== 'active') return undefined;
    if (isRevoked(session, operator)) return undefined;
    const nowMs = this.#parts.now();
    this.#seen.set(tokenHash, nowMs);
    // Other processes know only the uses in the database, and would end the session. If the write fails, the next
    // minute repeats it.
    if (nowMs - session.seenAtMs > idleMs - nearEndMs) await this.flush().catch(() => {});
    return { session, operator };
  }

  /** Returns the live sessions of an operator, the last begun first. */
  async list(operator: OperatorRecord): Promise<OperatorSession[]> {
    const all = await this.#parts.operatorSessions.listOf(operator.id);
    return all
      .filter((session) => this.#isLive(session) && !isRevoked(session, operator))
      .map((session) => ({ ...session, seenAtMs: this.#lastSeenMs(session) }));
  }

  async end({ tokenHash }: Pick<OperatorSession, 'tokenHash'>): Promise<void> {
    this.#seen.delete(tokenHash);
    await this.#parts.operatorSessions.remove(tokenHash);
  }

  /** Ends a session, to be followed by {@link recordEnd}. Returns false if it had ended already. */
  async endForAudit({ tokenHash }: OperatorSession, end: SessionEnd): Promise<boolean> {
    this.#seen.delete(tokenHash);
    return this.#parts.operatorSessions.end(tokenHash, end);
  }

  /** Ends all sessions of an operator but this one, to be followed by {@link recordEnd}. */
  async endOthersForAudit({ tokenHash }: OperatorSession, end: SessionEnd): Promise<void> {
    await this.#parts.operatorSessions.endOthers(tokenHash, end);
  }

  /**
   * Records an end in the audit, once however often it is called. If the process dies before, {@link recordEnds} does it.
   *
   * @throws {AlreadyAcceptedError} when a committed transaction made the claim
   */
  async recordEnd(end: SessionEnd, claim?: AcceptanceClaim): Promise<void> {
    const { operators, operatorSessions } = this.#parts;
    const { requestId, operatorId } = end;
    const changes = { operator_id: String(operatorId) };
    await operators.write(claim, async (writer) => {
      if (await writer.hasEvent(requestId, end.atMs)) return { result: undefined };
      return { result: undefined, event: { ...end, changes } };
    });
    await operatorSessions.forgetEnd(requestId);
  }

  /** Records the ends that the audit lacks, because a process died or the database refused the row. */
  async recordEnds(): Promise<void> {
    for (const end of await this.#parts.operatorSessions.listEnds()) await this.recordEnd(end);
  }

  /** Ends all sessions of an operator. Call it once a change that revokes them is committed. */
  async endAll(operatorId: bigint): Promise<void> {
    await this.#parts.operatorSessions.removeOf(operatorId);
  }

  /** Writes the last uses. Call it once a minute. */
  async flush(): Promise<void> {
    const seen = this.#seen;
    if (seen.size === 0) return;
    this.#seen = new Map();
    try {
      await this.#parts.operatorSessions.recordSeen(seen);
    } catch (error) {
      // Keep the unwritten uses for the next attempt, except where a later use was recorded meanwhile.
      this.#seen = new Map([...seen, ...this.#seen]);
      throw error;
    }
  }

  /** Deletes sessions that have ended, also those dated so far ahead that they would be live again once it is that time. */
  async forgetEnded(): Promise<void> {
    // The database decides by the uses that it knows.
    await this.flush();
    const nowMs = this.#parts.now();
    await this.#parts.operatorSessions.forget(nowMs - ageMsMax, [nowMs - idleMs, nowMs + idleMs]);
  }

  #isLive(session: OperatorSession): boolean {
    const nowMs = this.#parts.now();
    const unusedMs = nowMs - this.#lastSeenMs(session);
    // A use far ahead was dated by a clock that has since been set back, and would keep the session for as long as the
    // clock was ahead.
    return nowMs - session.createdAtMs < ageMsMax && Math.abs(unusedMs) < idleMs;
  }

  /** Returns the last use that the database or this process knows of. */
  #lastSeenMs({ tokenHash, seenAtMs }: OperatorSession): number {
    return Math.max(seenAtMs, this.#seen.get(tokenHash) ?? 0);
  }
}

/** Returns whether a change of the operator ended the session, even if its row is still there. */
function isRevoked({ createdAtMs }: OperatorSession, { sessionsFromMs }: OperatorRecord): boolean {
  return createdAtMs < sessionsFromMs;
}
