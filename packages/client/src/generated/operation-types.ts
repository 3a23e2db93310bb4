// Generated from the contract by scripts/generate.ts; edit the contract instead.

export type { BatchUpdateUserStoresData, BatchUpdateUserStoresInput } from './batch-update-user-stores.ts';
export type { BindUserOrgInput } from './bind-user-org.ts';
export type { BindUserRoleInput } from './bind-user-role.ts';
export type { BindUserStoreInput } from './bind-user-store.ts';
export type { CreateUserData, CreateUserInput } from './create-user.ts';
export type { OperationMethods } from './operations.ts';
export type { QueryUserData, QueryUserInput } from './query-user.ts';
export type { QueryUserRoleData, QueryUserRoleInput } from './query-user-role.ts';
export type { QueryUserStoresData, QueryUserStoresInput } from './query-user-stores.ts';
export type { UnbindUserOrgInput } from './unbind-user-org.ts';
export type { UnbindUserRoleInput } from './unbind-user-role.ts';
export type { UnbindUserStoreInput } from './unbind-user-store.ts';
export type { UpdateUserInput } from './update-user.ts';
