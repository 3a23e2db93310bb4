/** Words that audit rows have in place of values that nobody may read, by field. */
export const auditWords = {
  password: ['set', 'replaced', 'rehashed', 'changed'],
  second_factor: ['asked for', 'on', 'off', 'replaced'],
  recovery_codes: ['replaced'],
  confirmed_by: ['recovery code'],
} as const;

/** The changes of an audit row that are such words. */
export type AuditWords = {
  readonly [Field in keyof typeof auditWords]?: (typeof auditWords)[Field][number];
};
