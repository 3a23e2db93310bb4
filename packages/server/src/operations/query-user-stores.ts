import type { Operations } from '@fieldroster/contract';
import { requireUser } from '../directory/user-identity.ts';
import type { Handler } from './handler.ts';

export const queryUserStores: Handler<Operations['queryUserStores']> = async (
  input,
  { directory, refuse },
) => {
  await requireUser(directory, input.user_id, refuse);
  return { stores: await directory.listStoresOfUser(input.user_id) };
};
