import { Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { batchUsers } from '../operations/batch-users.ts';
import type { Problem } from '../problem-texts.ts';

/** A failure as data, beside its message, so that the console can show it in other languages. */
const problem = Type.Optional(
  Type.Unsafe<Problem>({ type: 'object', additionalProperties: true, description: 'What is wrong, as data' }),
);

const outcome = Type.Object({ ...batchUsers.data.properties.results.items.properties, problem });

/** The outcome of an entry of `batchUsers`, as the console gets it. */
export interface OutcomeOfConsole {
  readonly problem?: Problem;
}

/** `batchUsers` with the answer that the console gets. */
export const batchUsersOfConsole = defineOperation({
  ...batchUsers,
  data: Type.Object({ ...batchUsers.data.properties, results: Type.Array(outcome) }),
});
