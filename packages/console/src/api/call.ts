import callTable from 'virtual:call-table';
import { parseExactJson, stringifyExactJson } from '@fieldroster/client';
import type { Data, Input, Operations } from '@fieldroster/contract';
import type {
  ConsoleData,
  ConsoleInput,
  ConsoleOperationKey,
  ConsoleOperations,
  DirectoryOperationKey,
} from '@fieldroster/contract/console';
import { newChangeId } from './change-id.ts';
import { noteReachable } from './reachability.ts';
import type { Id, Wire } from './wire.ts';

/** The server refused a call; `message` says why, and what to do. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code: number;
  /** Identifies the request in the server's log. */
  readonly requestId: string;

  constructor(code: number, message: string, requestId: string) {
    super(message);
    this.code = code;
    this.requestId = requestId;
  }
}

/** The server did not answer; it may be stopped, or the network is down. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

export type DirectoryInput<Key extends DirectoryOperationKey> = Wire<Input<Operations[Key]>>;
export type DirectoryResult<Key extends DirectoryOperationKey> = Wire<Data<Operations[Key]>>;
export type OwnInput<Key extends ConsoleOperationKey> = Wire<ConsoleInput<ConsoleOperations[Key]>>;
export type OwnResult<Key extends ConsoleOperationKey> = Wire<ConsoleData<ConsoleOperations[Key]>>;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Identifies a change; the same id for every attempt makes it take effect once. A new one when left out. */
  readonly changeId?: string;
}

/** Calls one of the signed operations for a tenant. */
export function callDirectory<Key extends DirectoryOperationKey>(
  key: Key,
  tenant: Id,
  input: DirectoryInput<Key>,
  options?: CallOptions,
): Promise<DirectoryResult<Key>> {
  return send(key, tenant, input as Record<string, unknown>, options) as Promise<DirectoryResult<Key>>;
}

/** Calls one of the console's own operations. Pass `tenant` for those that work on one tenant. */
export function callConsole<Key extends ConsoleOperationKey>(
  key: Key,
  input: OwnInput<Key>,
  tenant?: Id,
  options?: CallOptions,
): Promise<OwnResult<Key>> {
  return send(key, tenant, input as Record<string, unknown>, options) as Promise<OwnResult<Key>>;
}

const attemptsMax = 4;
const retryAfterMs = 700;

async function send(
  key: string,
  tenant: Id | undefined,
  input: Record<string, unknown>,
  { signal, changeId = newChangeId() }: CallOptions = {},
): Promise<unknown> {
  const entry = callTable[key];
  if (entry === undefined) throw new TypeError(`there is no operation ${key}`);
  const { method, path, query, hasBody } = entry;
  const parameters = new URLSearchParams();
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    if (query.includes(name)) parameters.set(name, String(value));
    else body[name] = value;
  }
  const search = parameters.size === 0 ? '' : `?${parameters}`;
  const request: RequestInit = {
    method,
    headers: {
      ...(method !== 'GET' && { 'X-Fieldroster-Console': '1', 'Change-Id': changeId }),
      ...(hasBody && { 'Content-Type': 'application/json' }),
    },
    ...(hasBody && { body: stringifyExactJson(body) }),
    ...(signal !== undefined && { signal }),
  };
  return attempt(`/console/api${path.replace(':tenant', String(tenant))}${search}`, request, 1);
}

/**
 * Sends a call, and again when its answer is lost: a change keeps its id, so it takes effect once, and 1015 in answer
 * to a repetition proves that it did.
 */
async function attempt(url: string, request: RequestInit, count: number): Promise<unknown> {
  const response = await fetch(url, request).catch((error: unknown) => {
    if ((error as Error).name === 'AbortError') throw error;
    return undefined;
  });
  const envelope = response && (await readEnvelope(response));
  noteReachable(envelope !== undefined && envelope.code !== 1503);
  if (response === undefined || envelope === undefined || envelope.code === 1503) {
    if (count === attemptsMax) throw new UnreachableError(envelope?.message ?? '');
    await new Promise((resolve) => setTimeout(resolve, retryAfterMs * count));
    return attempt(url, request, count + 1);
  }
  if (envelope.code === 0 || (envelope.code === 1015 && count > 1)) return envelope.data;
  throw new CallError(envelope.code, envelope.message, response.headers.get('X-Request-Id') ?? '');
}

interface Envelope {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Returns `undefined` for an answer that is not the server's, such as a proxy's page. */
async function readEnvelope(response: Response): Promise<Envelope | undefined> {
  try {
    const parsed = parseExactJson(await response.text()) as Envelope;
    return typeof parsed.code === 'number' ? parsed : undefined;
  } catch {
    return undefined;
  }
}
