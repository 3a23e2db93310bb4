// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';

/** Input of `createStore`. */
export interface CreateStoreInput {
  /** Code of the store; a new one may not contain the beginning of another query parameter, such as &user_id=; at most 100 characters. */
  readonly code: string;
  /** Name of the store; at most 255 characters. */
  readonly name: string;
  /** Address of the store; at most 1000 characters. */
  readonly address?: string | null | undefined;
}

/** Result of `createStore`. */
export interface CreateStoreData<Id = bigint> {
  /** Code of the store. */
  code: string;
  /** Name of the store. */
  name: string;
  /** Address of the store. */
  address: string;
  /** Grows with every change. */
  revision: Id;
}

export interface CreateStore<Id = bigint> {
  /**
   * Create a store: `POST /store`. Creates the store and returns it.
   *
   * @throws {FieldrosterError} with 1002 invalid-body, 1003 unsupported-content, 1404 store-code-taken, and the codes that every operation shares
   */
  createStore(input: CreateStoreInput, options?: CallOptions): Promise<CreateStoreData<Id>>;
}

/** Its route, and the int64 values of its input and answer. */
export const createStore = {
  name: 'create-store',
  method: 'POST',
  path: '/store',
  access: 'manage',
  repeatable: false,
  fieldsIn: 'body',
  answer: { revision: true },
} as const;
