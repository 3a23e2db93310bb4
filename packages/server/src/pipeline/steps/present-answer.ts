import { limits, type Operation, type OperationKey } from '@fieldroster/contract';
import fastJson from 'fast-json-stringify';
import type { TObject, TSchema } from 'typebox';
import { WithRevision } from '../../operations/with-revision.ts';
import { TimeSlice } from '../../slices/time-slice.ts';
import { perOperation } from '../per-operation.ts';

/** The answer to a successful call. */
export interface Answer {
  /** The envelope, as JSON. */
  readonly body: string;
  /** The ETag header, which holds the revision of what was read. */
  readonly etag: string | undefined;
}

/** The envelope of an answer with many entries, as JSON in UTF-8. */
export type LargeAnswer = readonly Buffer[];

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
): Promise<LargeAnswer> | undefined {
  return data && largeSerializers[key]?.(data);
}

function startOf({ successMessage }: Operation): string {
  return `{"code":0,"message":${JSON.stringify(successMessage)}`;
}

/** Makes the function that turns a handler's result into the envelope of a successful call, as JSON. */
export function envelopeSerializer(operation: Operation): Serialize {
  const { name, data: schema } = operation;
  const start = startOf(operation);
  if (schema === undefined) return () => `${start}}`;
  const serialize = fastJson(schema);
  return (data) => {
    if (data === undefined) throw new TypeError(`the handler of ${name} has returned no data`);
    return `${start},"data":${serialize(data)}}`;
  };
}

/**
 * Makes the function that turns a result with many entries into the envelope, in slices of time. It returns `undefined`
 * for the few entries of an operation that is not bulk.
 */
export function largeSerializer(operation: Operation) {
  const { data: schema, bodyLimit } = operation;
  const list = schema && lastArrayOf(schema);
  if (schema === undefined || list === undefined) return undefined;
  const serialize = serializerInSlices(startOf(operation), schema, list);
  if (bodyLimit === 'bulk') return serialize;
  return (data: object) =>
    entriesOf(data, list).length > limits.pageEntriesMax ? serialize(data) : undefined;
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

/** Number of characters encoded at once. */
const pieceCharacters = 64 * 1024;

function entriesOf(data: object, { field }: List): readonly unknown[] {
  return (data as Record<string, readonly unknown[]>)[field] ?? [];
}

function serializerInSlices(start: string, schema: TObject, list: List) {
  const { field, items } = list;
  const serializeHead = fastJson(schema);
  const serializeItem = fastJson(items);
  return async (data: object): Promise<LargeAnswer> => {
    // The head ends with the empty array; the closing brackets of the array and the object are added last.
    let text = `${start},"data":${serializeHead({ ...data, [field]: [] }).slice(0, -2)}`;
    const pieces: Buffer[] = [];
    const timeSlice = new TimeSlice();
    for (const [index, item] of entriesOf(data, list).entries()) {
      text += `${index === 0 ? '' : ','}${serializeItem(item)}`;
      if (text.length >= pieceCharacters) {
        pieces.push(Buffer.from(text));
        text = '';
      }
      if (timeSlice.isOver()) await timeSlice.next();
    }
    pieces.push(Buffer.from(`${text}]}}`));
    return pieces;
  };
}
