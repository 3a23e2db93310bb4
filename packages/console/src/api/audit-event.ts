import type { OwnResult } from './call.ts';

/** One row of the audit trail. */
export type AuditEvent = OwnResult<'listEvents'>['events'][number];
