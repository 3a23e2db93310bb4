import { limits, type Operation, type OperationKey } from '@fieldroster/contract';
import fastJson from 'fast-json-stringify';
import type { TObject, TSchema } from 'typebox';
import { WithRevision } from '../../operations/with-revision.ts';
import { pieceCharacters } from '../../slices/encode-in-slices.ts';
import { nextSlice, TimeSlice } from '../../slices/time-slice.ts';
import { perOperation } from '../per-operation.ts';
import { entrySerializer } from './serialize-entry.ts';

/** The answer to a successful call. */
export interface Answer {
  /** The envelope, as JSON. */
  readonly body: string;
  /** The ETag header, which holds the revision of what was read. */
  readonly etag: string | undefined;
}

/** The envelope of an answer with many entries, as JSON in UTF-8. */
export type LargeAnswer = readonly Buffer[] | AnswerInPieces;

/** An envelope whose entries are read while it is sent. */
export interface AnswerInPieces {
  readonly pieces: AsyncIterable<Buffer>;
  /** About how much memory it takes until it is sent, in bytes. */
  readonly heldBytes: number;
}

/** An answer and the application that it goes to. */
export interface AnsweredCall {
  readonly appId: string;
  readonly answer: Answer | LargeAnswer;
}

type Serialize = (data: object | undefined) => string;

const serializers = perOperation(envelopeSerializer);
const largeSerializers = perOperation(largeSerializer);

/** @param result what the operation's handler returned */
export function presentAnswer(key: OperationKey, result: object | undefined): Answer {
  const serialize = serializers[key];
  if (!(result instanceof WithRevision)) return { body: serialize(result), etag: undefined };
  return { body: serialize(result.data), etag: `"${result.revision}"` };
}

/**
 * Presents an answer in slices of time if it belongs to a bulk operation, or ends with a list longer than any page.
 * Returns `undefined` for the others.
 */
export function presentLargeAnswer(
  key: OperationKey,
  data: object | undefined,
): Promise<readonly Buffer[]> | undefined {
  return data && largeSerializers[key]?.serialize(data);
}

/**
 * Presents an answer that ends with a list too long to hold, in pieces.
 *
 * @param data the answer with an empty list
 */
export function presentLongList(
  key: OperationKey,
  data: object,
  slices: AsyncIterable<readonly object[]>,
): AsyncGenerator<Buffer> {
  const serializer = largeSerializers[key];
  if (serializer === undefined) throw new TypeError(`the answer of ${key} ends with no list`);
  return serializer.toPieces(data, slices);
}

function startOf({ successMessage }: Pick<Operation, 'successMessage'>): string {
  return `{"code":0,"message":${JSON.stringify(successMessage)}`;
}

/** Makes the function that turns a handler's result into the envelope of a successful call, as JSON. */
export function envelopeSerializer(
  operation: Pick<Operation, 'name' | 'data' | 'successMessage'>,
): Serialize {
  const { name, data: schema } = operation;
  const start = startOf(operation);
  if (schema === undefined) return () => `${start}}`;
  const serialize = fastJson(schema);
  return (data) => {
    if (data === undefined) throw new TypeError(`the handler of ${name} has returned no data`);
    return `${start},"data":${serialize(data)}}`;
  };
}

interface LargeSerializer {
  readonly toPieces: ReturnType<typeof serializerInPieces>;
  /** Returns `undefined` for the few entries of an operation that is not bulk. */
  serialize(data: object): Promise<readonly Buffer[]> | undefined;
}

/** Makes what turns a result with many entries into the envelope, in slices of time. */
export function largeSerializer(
  operation: Pick<Operation, 'data' | 'bodyLimit' | 'successMessage'>,
): LargeSerializer | undefined {
  const { data: schema, bodyLimit } = operation;
  const list = schema && lastArrayOf(schema);
  if (schema === undefined || list === undefined) return undefined;
  const toPieces = serializerInPieces(startOf(operation), schema, list);
  return {
    toPieces,
    serialize(data) {
      const entries = entriesOf(data, list);
      if (bodyLimit !== 'bulk' && entries.length <= limits.pageEntriesMax) return undefined;
      return all(toPieces(data, [entries]));
    },
  };
}

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}

interface List {
  readonly field: string;
  readonly items: TSchema;
}

/** Returns the array at the end of the data. */
function lastArrayOf(schema: TObject): List | undefined {
  const [field, property] = Object.entries(schema.properties).at(-1) ?? [];
  const { type, items } = (property ?? {}) as { type?: string; items?: TSchema };
  return field !== undefined && type === 'array' && items !== undefined ? { field, items } : undefined;
}

function entriesOf(data: object, { field }: List): readonly unknown[] {
  return (data as Record<string, readonly unknown[]>)[field] ?? [];
}

type Slices = Iterable<readonly unknown[]> | AsyncIterable<readonly unknown[]>;

function serializerInPieces(start: string, schema: TObject, { field, items }: List) {
  const serializeHead = fastJson(schema);
  const serializeItem = entrySerializer(items);
  return async function* (data: object, slices: Slices): AsyncGenerator<Buffer> {
    // The head ends with the empty array; the closing brackets of the array and the object are added last.
    let text = `${start},"data":${serializeHead({ ...data, [field]: [] }).slice(0, -2)}`;
    let separator = '';
    const timeSlice = new TimeSlice(nextSlice);
    for await (const slice of slices) {
      for (const item of slice) {
        text += separator;
        separator = ',';
        for (const piece of serializeItem(item)) {
          text += piece;
          if (text.length >= pieceCharacters) {
            yield Buffer.from(text);
            text = '';
          }
          if (timeSlice.isOver()) await timeSlice.next();
        }
      }
    }
    yield Buffer.from(`${text}]}}`);
  };
}
