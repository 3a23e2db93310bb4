import type { CallOptions } from './call-options.ts';
import type { OperationMethods } from './generated/operations.ts';
import type { OperationInput, OperationResult } from './operation-calls.ts';
import type { OperationKey } from './prepare-request.ts';

type ReadBack<Key extends OperationKey> = <Id>(
  methods: OperationMethods<Id>,
  input: OperationInput<Key>,
  options: CallOptions,
) => Promise<OperationResult<Id, Key>>;

/** How to read what a write would have answered, when the write was applied but its answer was lost. */
export const readBack: { readonly [Key in OperationKey]?: ReadBack<Key> } = {
  async createUser(methods, { username, password }, options) {
    const { roles, orgs, ...user } = await methods.queryUser({ username }, options);
    return { ...user, password };
  },

  async batchUpdateUserStores(methods, input, options) {
    const { id, username } = await methods.queryUser({ username: input.username }, options);
    return { id, username };
  },
};
