import type { Operation, OperationKey } from '@fieldroster/contract';
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

/** The envelope of a bulk operation, as JSON in UTF-8. */
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

/** Presents the answer of a bulk operation in slices of time. Returns `undefined` for other operations. */
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

/** Makes the function that turns a bulk operation's result into the envelope, in slices of time. */
export function largeSerializer(operation: Operation) {
  const { data: schema, bodyLimit } = operation;
  const list = schema === undefined || bodyLimit !== 'bulk' ? undefined : lastArrayOf(schema);
  return schema && list && serializerInSlices(startOf(operation), schema, list);
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

function serializerInSlices(start: string, schema: TObject, { field, items }: List) {
  const serializeHead = fastJson(schema);
  const serializeItem = fastJson(items);
  return async (data: object): Promise<LargeAnswer> => {
    const list = (data as Record<string, readonly unknown[]>)[field] ?? [];
    // The head ends with the empty array; the closing brackets of the array and the object are added last.
    let text = `${start},"data":${serializeHead({ ...data, [field]: [] }).slice(0, -2)}`;
    const pieces: Buffer[] = [];
    const timeSlice = new TimeSlice();
    for (const [index, item] of list.entries()) {
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
