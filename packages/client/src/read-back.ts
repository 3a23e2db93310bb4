import type { CallOptions } from './call-options.ts';
import type { Answered, DetailedMethods } from './detailed-methods.ts';
import type { OperationInput, OperationResult } from './operation-calls.ts';
import type { OperationKey } from './prepare-request.ts';

type ReadBack<Key extends OperationKey> = <Id>(
  methods: DetailedMethods<Id>,
  input: OperationInput<Key>,
  options: CallOptions,
) => Promise<Answered<OperationResult<Id, Key>>>;

/** How to read what a write would have answered, when the write was applied but its answer was lost. */
export const readBack: { readonly [Key in OperationKey]?: ReadBack<Key> } = {
  async createUser(methods, { username, password }, options) {
    const read = await methods.queryUser({ username }, options);
    const { roles, orgs, ...user } = read.data;
    return { ...read, data: { ...user, password } };
  },

  async batchUpdateUserStores(methods, input, options) {
    const read = await methods.queryUser({ username: input.username }, options);
    const { id, username } = read.data;
    return { ...read, data: { id, username } };
  },
};
