/** Keys of the queries that show a user's profile or status. */
export const userKeys = ['user', 'users', 'store-users'] as const;

/** Keys of the queries that a change of who looks after a store makes stale. It raises the user's revision too. */
export const assignmentKeys = [...userKeys, 'user-stores', 'stores'] as const;
