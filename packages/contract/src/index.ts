export { answerWait } from './answer-wait.ts';
export { type AuditWords, auditWords } from './audit-words.ts';
export type { AuditedCommand, AuditedOperation } from './audited-operations.ts';
export { auditedOperations } from './audited-operations.ts';
export { auditFieldsOfEveryScope, namedEntities } from './entities.ts';
export type { ErrorCode, ErrorCodeEntry } from './error-codes.ts';
export { errorCodes } from './error-codes.ts';
export type { CheckedEntry, UserFields } from './fields.ts';
export { isTime, profileFields, userFields } from './fields.ts';
export { invisibleCharacters } from './invisible-characters.ts';
export { limits } from './limits.ts';
export type { Access, Data, Input, Operation } from './operation.ts';
export {
  accesses,
  codesOf,
  overlooksEmptyParameter,
  particularCodesOf,
  refusesUnknownParameters,
  sharedCodes,
} from './operation.ts';
export type { OperationKey, Operations } from './operations.ts';
export { operations } from './operations.ts';
export { profileTexts } from './profile-texts.ts';
