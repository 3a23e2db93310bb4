/** An int64 to send: a `number` must be a safe integer. */
export type IdInput = bigint | number;
