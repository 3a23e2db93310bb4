// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';

/** What `createStore` takes. */
export interface CreateStoreInput {
  /** Code of the store; at most 100 characters. */
  readonly code: string;
  /** Name of the store; at most 255 characters. */
  readonly name: string;
  /** Address of the store; at most 1000 characters. */
  readonly address?: string | null | undefined;
}

/** What `createStore` answers. */
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
   * Create a store: `POST /store`. Creates the store and answers it.
   *
   * @throws {FieldrosterError} 1002 invalid-body, 1003 unsupported-content, 1404 store-code-taken, and the codes that every operation shares
   */
  createStore(input: CreateStoreInput, options?: CallOptions): Promise<CreateStoreData<Id>>;
}

/** How it is sent and answered. */
export const createStore = {
  name: 'create-store',
  method: 'POST',
  path: '/store',
  access: 'manage',
  fieldsIn: 'body',
  answer: { revision: true },
} as const;
