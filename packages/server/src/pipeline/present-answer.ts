import { type Operation, type OperationKey, operations } from '@fieldroster/contract';
import fastJson from 'fast-json-stringify';

/** What a call that succeeded is answered with. */
export interface Answer {
  /** The envelope, as JSON. */
  readonly body: string;
  /** The ETag header, which holds the revision of what was read. */
  readonly etag: string | undefined;
}

type Serialize = (data: object | undefined) => string;

const serializers = new Map<OperationKey, Serialize>(
  (Object.keys(operations) as OperationKey[]).map((key) => [key, serializer(operations[key])]),
);

export function presentAnswer(
  key: OperationKey,
  data: object | undefined,
  revision: bigint | undefined,
): Answer {
  const serialize = serializers.get(key);
  if (serialize === undefined) throw new TypeError(`no serializer for ${key}`);
  return { body: serialize(data), etag: revision === undefined ? undefined : `"${revision}"` };
}

function serializer({ name, data: schema, successMessage }: Operation): Serialize {
  const start = `{"code":0,"message":${JSON.stringify(successMessage)}`;
  if (schema === undefined) return () => `${start}}`;
  const serialize = fastJson(schema);
  return (data) => {
    if (data === undefined) throw new TypeError(`the handler of ${name} has returned no data`);
    return `${start},"data":${serialize(data)}}`;
  };
}
