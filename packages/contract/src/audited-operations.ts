/** The names of operators' commands in the audit trail of a tenant. */
const auditedCommands = [
  'user erase',
  'role import',
  'org import',
  'store import',
  'app create',
  'app update',
  'app rotate',
  'app revoke',
  'tenant create',
  'claims reset',
  'key rotate',
  'key rotate --finish',
  'migrate',
  'copy',
  'restore',
  'restore --finish',
  'serve --sample',
] as const;

/**
 * Every name that a tenant's audit trail may give as the source of a change: the operations that change something, the
 * password check, which may replace a hash, the console's own operations, and operators' commands.
 */
export const auditedOperations = [
  'create-user',
  'update-user',
  'bind-user-role',
  'unbind-user-role',
  'bind-user-org',
  'unbind-user-org',
  'bind-user-store',
  'unbind-user-store',
  'batch-update-user-stores',
  'create-role',
  'update-role',
  'delete-role',
  'create-org',
  'update-org',
  'delete-org',
  'create-store',
  'update-store',
  'delete-store',
  'upsert-stores',
  'batch-users',
  'delete-user',
  'set-user-status',
  'check-password',
  'change-users',
  'move-stores',
  ...auditedCommands,
] as const;

export type AuditedCommand = (typeof auditedCommands)[number];

export type AuditedOperation = (typeof auditedOperations)[number];
