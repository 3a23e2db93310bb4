import type { Operation } from '@fieldroster/contract';

/** What an operation reads; the console's own operations say it in the same words. */
export type OperationInput = Pick<Operation, 'number' | 'method' | 'query' | 'body' | 'bodyLimit'>;
