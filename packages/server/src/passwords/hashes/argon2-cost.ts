export interface Argon2Cost {
  /** KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. */
export const currentCost: Argon2Cost = { memory: 19_456, passes: 2, parallelism: 1 };
