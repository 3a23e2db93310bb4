import { parseExactJson } from '@fieldroster/client';
import type { Problem } from '@fieldroster/contract/problems';
import { answerWaitMs } from './answer-wait.ts';
import { reachability } from './reachability.ts';

/** The server refused a call; `message` says why, and what to do. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code: number;
  /** The message as data, for other languages; absent for most refusals. */
  readonly problem: Problem | undefined;
  /** Identifies the request in the server's log. */
  readonly requestId: string;
  /** Whether an answer to an earlier attempt was lost, which may have made the change. */
  readonly followsLostAnswer: boolean;

  constructor(
    { code, message, problem }: Omit<Envelope, 'data'>,
    requestId: string,
    followsLostAnswer = false,
  ) {
    super(message);
    this.code = code;
    this.problem = problem;
    this.requestId = requestId;
    this.followsLostAnswer = followsLostAnswer;
  }
}

/** The server did not answer; it may be stopped, or the network is down. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  /** Whether it was a change, which may have taken effect. */
  readonly isChange: boolean;

  constructor(message: string, isChange: boolean) {
    super(message);
    this.isChange = isChange;
  }
}

/** A request of the page, to be sent until it is answered. */
export interface PageRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: string;
  /** Each of them ends the call. */
  readonly signals?: readonly AbortSignal[];
  /** Identifies a change; every attempt sends the same one. */
  readonly changeId?: string;
  /** Who began a change. The server refuses an attempt that comes with the session of somebody else. */
  readonly operatorId?: string | undefined;
  /** Whether the server may have made the change before the first of these attempts. */
  readonly isRepeated?: boolean;
  /** Whether the change is kept across reloads, so that its sender must tell a change made before from one made now. */
  readonly isKept?: boolean;
}

const attemptsMax = 4;
const retryAfterMs = 700;

/** A late attempt counts as two, so that a call ends after its second one. */
const attemptsOfWait = 2;

/**
 * Sends a request, and sends it again when its answer is lost. A change keeps its id, so it takes effect once; 1015
 * proves that it did, and nothing is returned then. Even the first attempt may be answered so, because a proxy may have
 * sent it twice. A request that was refused because it followed too many others is sent again too: the pages of a long
 * list come faster than an operator may ask for them.
 */
export async function exchange(request: PageRequest): Promise<unknown> {
  const { changeId, isRepeated = false, isKept = false } = request;
  let message = '';
  let isLost = isRepeated;
  for (let count = 1; count <= attemptsMax; count++) {
    const answered = await attempt(request);
    const { envelope } = answered;
    const isAnswer = envelope !== undefined && envelope.code !== 1503;
    reachability.write(isAnswer);
    const isTooSoon = envelope?.problem?.key === 'manyCalls';
    if (isAnswer && !(isTooSoon && count < attemptsMax)) {
      if (envelope.code === 0 || (envelope.code === 1015 && (isLost || !isKept))) return envelope.data;
      throw new CallError(envelope, answered.requestId, isLost);
    }
    isLost ||= !isTooSoon;
    message = envelope?.message ?? '';
    if (answered.isLate) count += attemptsOfWait - 1;
    if (count < attemptsMax) await new Promise((resolve) => setTimeout(resolve, retryAfterMs * count));
  }
  throw new UnreachableError(message, changeId !== undefined);
}

interface Answered {
  /** Absent if nothing came, or something that is not the server's, such as a proxy's page. */
  readonly envelope?: Envelope | undefined;
  readonly requestId: string;
  readonly isLate: boolean;
}

async function attempt(request: PageRequest): Promise<Answered> {
  const { method, url, body, signals = [], changeId, operatorId } = request;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), answerWaitMs(request));
  const leave = () => late.abort();
  for (const signal of signals) signal.addEventListener('abort', leave);
  try {
    for (const signal of signals) signal.throwIfAborted();
    const response = await fetch(url, {
      method,
      headers: {
        ...(changeId !== undefined && { 'X-Fieldroster-Console': '1', 'Change-Id': changeId }),
        ...(operatorId !== undefined && { 'Operator-Id': operatorId }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
      signal: late.signal,
    });
    const requestId = response.headers.get('X-Request-Id') ?? '';
    return { envelope: readEnvelope(await response.text()), requestId, isLate: false };
  } catch {
    for (const signal of signals) signal.throwIfAborted();
    return { requestId: '', isLate: late.signal.aborted };
  } finally {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener('abort', leave);
  }
}

interface Envelope {
  readonly code: number;
  readonly message: string;
  readonly problem?: Problem;
  readonly data?: unknown;
}

function readEnvelope(text: string): Envelope | undefined {
  try {
    const parsed = parseExactJson(text) as Envelope;
    return typeof parsed.code === 'number' ? parsed : undefined;
  } catch {
    return undefined;
  }
}
