/** An int64 to send: a `number` must be a safe integer, a string must consist of digits. */
export type IdInput = bigint | number | `${bigint}`;
