import callTable from 'virtual:call-table';
import { stringifyExactJson } from '@fieldroster/client';
import type { Data, Input, Operations } from '@fieldroster/contract';
import type {
  ConsoleData,
  ConsoleInput,
  ConsoleOperationKey,
  ConsoleOperations,
  DirectoryOperationKey,
} from '@fieldroster/contract/console';
import { type Acting, acting } from './acting.ts';
import { newChangeId } from './change-id.ts';
import { CallError, exchange, type PageRequest } from './exchange.ts';
import { noteNewSession } from './new-session.ts';
import { type SendChange, sendOnce } from './sent-changes.ts';
import type { Id, Wire } from './wire.ts';

export { CallError, UnreachableError } from './exchange.ts';

/** Code of a call without a live session. */
export const notSignedIn = 1601;

/** A change took effect, but its answer was lost, and with it something that is shown only once, such as a secret. */
export class AnswerLostError extends Error {
  override readonly name = 'AnswerLostError';
  readonly operation: string;

  constructor(operation: string) {
    super(operation);
    this.operation = operation;
  }
}

/**
 * The session had ended when a change was repeated whose answer was lost. It may have been made: some changes end the
 * session that made them.
 */
export class PerhapsDoneError extends CallError {
  readonly operation: string;

  constructor({ code, message, problem, requestId }: CallError, operation: string) {
    super({ code, message, ...(problem && { problem }) }, requestId, true);
    this.operation = operation;
  }
}

export type DirectoryInput<Key extends DirectoryOperationKey> = Wire<Input<Operations[Key]>>;
export type DirectoryResult<Key extends DirectoryOperationKey> = Wire<Data<Operations[Key]>>;
export type OwnInput<Key extends ConsoleOperationKey> = Wire<ConsoleInput<ConsoleOperations[Key]>>;
export type OwnResult<Key extends ConsoleOperationKey> = Wire<ConsoleData<ConsoleOperations[Key]>>;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Identifies a change that is kept across reloads; the same id for every attempt makes it take effect once. */
  readonly changeId?: string;
  /** Who began something that takes several calls; the operator of the page if left out. */
  readonly by?: Acting;
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

type NoteRefusal = (refusal: CallError, operation: string) => void;

let noteRefusal: NoteRefusal = () => {};

/** Passes on the refusals of all calls from now on. */
export function onRefusal(note: NoteRefusal): void {
  noteRefusal = note;
}

async function send(...call: Parameters<typeof sendUnnoted>): Promise<unknown> {
  const [key] = call;
  try {
    return await noteNewSession(key, sendUnnoted(...call));
  } catch (error) {
    if (error instanceof CallError) noteRefusal(error, key);
    throw error;
  }
}

async function sendUnnoted(
  key: string,
  tenant: Id | undefined,
  input: Record<string, unknown>,
  { signal, changeId, by = acting() }: CallOptions = {},
): Promise<unknown> {
  const entry = callTable[key];
  if (entry === undefined) throw new TypeError(`there is no operation ${key}`);
  const { method, path, query, hasBody, answeredOnce } = entry;
  const parameters = new URLSearchParams();
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    if (query.includes(name)) parameters.set(name, String(value));
    else body[name] = value;
  }
  const search = parameters.size === 0 ? '' : `?${parameters}`;
  const request: PageRequest = {
    method,
    url: `/console/api${path.replace(':tenant', String(tenant))}${search}`,
    ...(hasBody && { body: stringifyExactJson(body) }),
    // A query of the page has a signal, and asks again for the next operator.
    signals: signal === undefined ? [by.signal] : method === 'GET' ? [signal] : [signal, by.signal],
    ...(changeId !== undefined && { isKept: true }),
  };
  if (method === 'GET') return exchange(request);
  const { operatorId } = by;
  const change: SendChange = (id, isRepeated) =>
    exchange({ ...request, changeId: id, operatorId, isRepeated });
  const { url, body: text = '' } = request;
  // A preview changes nothing, and what is left by its page must not be waited for. Signing in undoes nothing either, so
  // a change that was sent before it is still the same.
  const isOfButton =
    changeId === undefined && signal === undefined && body.dry_run !== true && key !== 'signIn';
  const data = await (isOfButton
    ? sendOnce(`${operatorId} ${method} ${url} ${text}`, change)
    : change(changeId ?? newChangeId(), false)
  ).catch((error) => {
    if (body.dry_run === true || !(error instanceof CallError)) throw error;
    throw error.code === notSignedIn && error.followsLostAnswer ? new PerhapsDoneError(error, key) : error;
  });
  if (data === undefined && answeredOnce) throw new AnswerLostError(key);
  return data;
}
