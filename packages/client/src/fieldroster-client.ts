import { type CallParts, callOperation } from './call-operation.ts';
import type { CallOptions } from './call-options.ts';
import { type FieldrosterClientOptions, type IdMode, type IdOf, readOptions } from './client-options.ts';
import { type Answered, type DetailedMethods, detailedMethods } from './detailed-methods.ts';
import { AnswerLostError } from './errors.ts';
import { type OperationMethods, operations } from './generated/operations.ts';
import type { Settlement } from './judge-answer.ts';
import { OperationCalls, type OperationInput, type OperationResult } from './operation-calls.ts';
import type { OperationKey } from './prepare-request.ts';
import { type Int64Shape, presentIds } from './present-ids.ts';
import { readBack } from './read-back.ts';
import { ServerClock } from './server-clock.ts';

/**
 * Calls a Fieldroster server. Every method signs its request, retries when no usable answer came, and makes sure
 * that a write takes effect once. One client serves any number of concurrent calls.
 *
 * @example
 * const client = new FieldrosterClient({ url, appId, appSecret });
 * const { id } = await client.createUser({ username: 'li.wei', password });
 */
export class FieldrosterClient<const Ids extends IdMode = 'bigint'> extends OperationCalls<IdOf<Ids>> {
  readonly #clock: ServerClock;
  /**
   * The same operations, with the number of requests, the request id, the duration and the revision of each call.
   *
   * @example
   * const { data, revision } = await client.withDetails.queryUser({ username: 'li.wei' });
   */
  readonly withDetails: DetailedMethods<IdOf<Ids>>;

  /** @throws {TypeError} for an option that no call could work with */
  constructor(options: FieldrosterClientOptions<Ids>) {
    const settings = readOptions(options);
    const clock = new ServerClock(settings.now);
    const parts = { settings, clock, contact: { made: false } };
    super((key, input, callOptions = {}) =>
      call(parts, { key, input, options: callOptions, methods: this }).then(({ data }) => data),
    );
    this.withDetails = detailedMethods((key, input, callOptions = {}) =>
      call(parts, { key, input, options: callOptions, methods: this }),
    );
    this.#clock = clock;
  }

  /** Milliseconds by which the server's clock is ahead of the local one, as last measured. */
  get clockOffsetMs(): number {
    return this.#clock.offsetMs;
  }
}

/** A call of a method, as the application made it. */
interface MethodCall<Id, Key extends OperationKey> {
  readonly key: Key;
  readonly input: OperationInput<Key>;
  readonly options: CallOptions;
  /** For reading back what a write would have answered. */
  readonly methods: OperationMethods<Id>;
}

async function call<Id, Key extends OperationKey>(
  parts: CallParts,
  method: MethodCall<Id, Key>,
): Promise<Answered<OperationResult<Id, Key>>> {
  const { key, input, options } = method;
  const { settlement, attempts, durationMs } = await callOperation(parts, key, input, options);
  const { requestId, revision } = settlement;
  const data = await resultOf(settlement, method, parts.settings.ids);
  return { data, attempts, requestId, durationMs, revision };
}

async function resultOf<Id, Key extends OperationKey>(
  settlement: Settlement,
  method: MethodCall<Id, Key>,
  ids: IdMode,
): Promise<OperationResult<Id, Key>> {
  const { answer }: { readonly name: string; readonly answer?: Int64Shape } = operations[method.key];
  if (answer === undefined) return undefined as OperationResult<Id, Key>;
  if (settlement.kind === 'proved') return recover(method);
  // The types come from the contract, which the server follows.
  return presentIds(settlement.data, answer, ids) as OperationResult<Id, Key>;
}

async function recover<Id, Key extends OperationKey>({
  key,
  input,
  options,
  methods,
}: MethodCall<Id, Key>): Promise<OperationResult<Id, Key>> {
  const read = readBack[key];
  if (read === undefined) throw new AnswerLostError(operations[key].name);
  try {
    return await read(methods, input, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw new AnswerLostError(operations[key].name, { cause: error });
  }
}
