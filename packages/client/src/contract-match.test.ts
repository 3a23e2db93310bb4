import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type {
  CheckedEntry,
  ErrorCode as ContractErrorCode,
  Data,
  Input,
  Operation,
  OperationKey,
  Operations,
} from '@fieldroster/contract';
import { operations as contractOperations, errorCodes } from '@fieldroster/contract';
import { errorNames } from './generated/error-names.ts';
import { operations } from './generated/operations.ts';
import {
  type CreateUserInput,
  type ErrorCode,
  FieldrosterClient,
  type FieldrosterError,
  type IdInput,
  isFieldrosterError,
  type OperationInput,
  type OperationMethods,
  type OperationResult,
} from './index.ts';

// The compiler checks the rest: code that drifts from the contract does not compile.

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Fits<A, B> = A extends B ? true : false;
type Flat<T> = { [Key in keyof T]: T[Key] };

/** Compiles only if its type argument is true. */
function prove<_Claim extends true>(): void {}

/** A contract field in the types that callers may send. */
type Sent<T> = T extends bigint
  ? IdInput
  : T extends readonly (infer Item)[]
    ? readonly SentItem<Item>[]
    : T extends object
      ? SentInput<T>
      : T;
/** Entries that the server checks one by one are sent unwrapped. */
type SentItem<T> = [T] extends [CheckedEntry<infer Value>] ? Sent<Value> : Sent<T>;
type OptionalKeys<T> = {
  [Key in keyof T]-?: undefined extends Pick<T, Key>[Key]
    ? Key
    : Partial<Pick<T, Key>> extends Pick<T, Key>
      ? Key
      : never;
}[keyof T];
type SentInput<T> = Flat<
  { readonly [Key in Exclude<keyof T, OptionalKeys<T>>]: Sent<T[Key]> } & {
    readonly [Key in OptionalKeys<T>]?: Sent<Exclude<T[Key], undefined>> | null | undefined;
  }
>;

type InputDrift = {
  [Key in OperationKey]: Same<Flat<OperationInput<Key>>, SentInput<Flat<Input<Operations[Key]>>>> extends true
    ? never
    : Key;
}[OperationKey];
/** A method without data returns void. */
type DataOf<T> = T extends object ? T : undefined;
type DataDrift = {
  [Key in OperationKey]: Same<
    Deep<DataOf<OperationResult<bigint, Key>>>,
    Deep<Data<Operations[Key]>>
  > extends true
    ? never
    : Key;
}[OperationKey];
type Deep<T> = T extends bigint | string | number | boolean | undefined
  ? T
  : { [Key in keyof T]: Deep<T[Key]> };

prove<Same<InputDrift, never>>();
prove<Same<DataDrift, never>>();
prove<Same<keyof OperationMethods, OperationKey>>();
prove<Same<ErrorCode, ContractErrorCode>>();

/** Never called: the compiler checks what the calls return. */
export async function typesOfCalls(
  exact: FieldrosterClient,
  rounded: FieldrosterClient<'number'>,
  error: unknown,
) {
  const user = await exact.queryUser({ user_id: 1 });
  prove<Same<typeof user.id, bigint>>();
  prove<Same<(typeof user.roles)[number]['system_id'], bigint>>();
  prove<Same<(typeof user.roles)[number]['order'], number>>();
  const created = await rounded.createUser({ username: 'a', password: 'b' });
  prove<Same<typeof created.id, number>>();
  prove<Same<Awaited<ReturnType<typeof exact.updateUser>>, void>>();
  const chosen = new FieldrosterClient({ url: '', appId: '', appSecret: '', ids: 'number' });
  prove<Same<typeof chosen, FieldrosterClient<'number'>>>();
  const byDefault = new FieldrosterClient({ url: '', appId: '', appSecret: '' });
  prove<Same<typeof byDefault, FieldrosterClient<'bigint'>>>();
  if (isFieldrosterError(error, 1101, 1103)) prove<Same<typeof error.code, 1101 | 1103>>();
  if (isFieldrosterError(error)) prove<Same<typeof error, FieldrosterError>>();
}

type CodeArgument = Extract<Parameters<typeof isFieldrosterError<1101>>[1], number>;

// A password is required, a gender is 0, 1 or 2, an id is not text, `id` is not an option, and 1100 is not a
// code.
prove<Same<Fits<{ username: string }, CreateUserInput>, false>>();
prove<Same<Fits<{ username: string; password: string; gender: 3 }, CreateUserInput>, false>>();
prove<Same<Fits<{ user_id: string }, OperationInput<'queryUserRole'>>, false>>();
prove<Same<Fits<{ user_id: 1n }, OperationInput<'queryUserRole'>>, true>>();
prove<Same<Fits<'ids', keyof ConstructorParameters<typeof FieldrosterClient>[0]>, true>>();
prove<Same<Fits<'id', keyof ConstructorParameters<typeof FieldrosterClient>[0]>, false>>();
prove<Same<Fits<1100, ErrorCode>, false>>();
prove<Same<CodeArgument, 1101>>();

test('the client has a method and the route for every operation of the contract', () => {
  const client = new FieldrosterClient({ url: 'http://127.0.0.1:9', appId: 'a', appSecret: 'b' });
  assert.deepEqual(Object.keys(operations), Object.keys(contractOperations));
  for (const [key, operation] of Object.entries<Operation>(contractOperations)) {
    const { fieldsIn, takes, answer, ...route }: Record<string, unknown> = operations[key as OperationKey];
    const { name, method, path, access, repeatable, query, body, data } = operation;
    assert.deepEqual(route, {
      ...{ name, method, path, access },
      ...(repeatable !== undefined && { repeatable }),
      ...('dry_run' in (body?.properties ?? {}) && { dryRun: true }),
    });
    assert.equal(fieldsIn, body === undefined ? 'query' : 'body');
    assert(query === undefined || body === undefined);
    assert.ok(takes === undefined || fieldsIn === 'body');
    assert.equal(answer !== undefined, data !== undefined);
    assert.equal(typeof client[key as OperationKey], 'function');
  }
});

test('the client knows the name of every code of the contract', () => {
  const names = Object.entries(errorCodes).map(([code, { name }]) => [code, name]);
  assert.deepEqual(errorNames, Object.fromEntries(names));
});

test('a client needs only the signing package at run time', () => {
  const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  assert.deepEqual(Object.keys(dependencies), ['@fieldroster/signing']);
});
