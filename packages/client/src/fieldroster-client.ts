import { type CallParts, callOperation, type SettledCall } from './call-operation.ts';
import type { CallOptions } from './call-options.ts';
import { type FieldrosterClientOptions, type IdMode, type IdOf, readOptions } from './client-options.ts';
import { type Answered, type DetailedMethods, detailedMethods } from './detailed-methods.ts';
import { AnswerLostError } from './errors.ts';
import { operations } from './generated/operations.ts';
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
    const methods: DetailedMethods<IdOf<Ids>> = detailedMethods((key, input, callOptions = {}) =>
      call(parts, { key, input, options: callOptions, methods }),
    );
    super((key, input, callOptions) => methods[key](input, callOptions).then(({ data }) => data));
    this.withDetails = methods;
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
  readonly methods: DetailedMethods<Id>;
}

async function call<Id, Key extends OperationKey>(
  parts: CallParts,
  method: MethodCall<Id, Key>,
): Promise<Answered<OperationResult<Id, Key>>> {
  const { key, input, options } = method;
  const settled = await callOperation(parts, key, input, options);
  const { settlement, attempts, durationMs } = settled;
  const { kind, requestId, revision } = settlement;
  const { answer }: { readonly name: string; readonly answer?: Int64Shape } = operations[key];
  if (answer !== undefined && kind === 'proved') return recover(method, settled);
  // The types come from the contract, which the server follows.
  const data = answer && presentIds(settlement.data, answer, parts.settings.ids);
  return { data: data as OperationResult<Id, Key>, attempts, requestId, durationMs, revision };
}

/** Reads back what an applied write would have answered. Its requests are part of the call. */
async function recover<Id, Key extends OperationKey>(
  { key, input, options, methods }: MethodCall<Id, Key>,
  { settlement, attempts, durationMs }: SettledCall,
): Promise<Answered<OperationResult<Id, Key>>> {
  const read = readBack[key];
  if (read === undefined) throw new AnswerLostError(operations[key].name);
  try {
    const found = await read(methods, input, options);
    return {
      data: found.data,
      attempts: attempts + found.attempts,
      requestId: found.requestId,
      durationMs: durationMs + found.durationMs,
      revision: settlement.revision,
    };
  } catch (error) {
    options.signal?.throwIfAborted();
    throw new AnswerLostError(operations[key].name, { cause: error });
  }
}
