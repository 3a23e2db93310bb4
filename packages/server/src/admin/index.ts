/** The database work of commands that do not serve. Importing this loads nothing of the HTTP server. */
export { allowedAddressProblem } from '../applications/allowed-addresses.ts';
export { appIdProblem, appSecretProblem } from '../applications/credentials.ts';
export { keyFileInUse } from '../applications/master-key/find-master-key.ts';
export {
  masterKeyFile,
  masterKeyVariable,
  previousKeyFile,
  previousKeyVariable,
} from '../applications/master-key/key-places.ts';
export {
  type GivenKeyProblem,
  givenKeyProblems,
  type KeyFileProblem,
  keyFileProblems,
} from '../applications/master-key/key-problems.ts';
export { MasterKeyError } from '../applications/master-key/master-key-error.ts';
export { failuresKeptDays, failuresKeptMs } from '../call-records/call-recorder.ts';
export {
  type FileSetting,
  type FileSettings,
  joinHostAndPort,
  type ReplayRule,
  type ResolvedSetting,
  readSettings,
  resolveSettings,
  type SettingDefinition,
  SettingError,
  type Settings,
  settingDefinitions,
} from '../config.ts';
export type {
  Actor,
  ApplicationChanges,
  ApplicationRecord,
  ApplicationScope,
  CallTotalsSince,
  Database,
  FailedCallRecord,
  ImportChange,
  ImportCounts,
  OperatorRecord,
  OperatorRole,
  OrgRecord,
  ReportChanges,
  RoleImportCounts,
  RoleRecord,
  StoreRecord,
  TenantRecord,
} from '../database/database.ts';
export { latencyBoundMs, latencyBoundsMs } from '../database/database.ts';
export { SchemaError } from '../database/migrations/migrate.ts';
export { BusyError } from '../errors/busy-error.ts';
export { OperatorError } from '../errors/operator-error.ts';
export { parseExactJson, stringifyExactJson } from '../json/exact-json.ts';
export { counted } from '../words/counted.ts';
export { quoteForShell } from '../words/quote-for-shell.ts';
export { workerVariables } from '../workers/worker-variables.ts';
export { AdminError } from './admin-error.ts';
export {
  applicationNameProblem,
  issueApplication,
  requireApplication,
  revokeApplication,
  rotateSecret,
  updateApplication,
} from './applications.ts';
export { type AuditSubject, type AuditTrail, findAuditTrail } from './audit-trail.ts';
export type { BackupManifest } from './backup/backup-format.ts';
export { BackupFileError } from './backup/backup-format.ts';
export type { LeftOut } from './backup/choose-erasures.ts';
export { requireErasureList } from './backup/erasure-file.ts';
export type { InPlaceRestore } from './backup/finish-restore.ts';
export { finishRestore } from './backup/finish-restore.ts';
export { lastGoodBackup, recordGoodBackup } from './backup/last-good-backup.ts';
export { type BackupReport, makeBackup, nameTaken, tablesLeftOut } from './backup/make-backup.ts';
export { type RestoreReport, restoreBackup } from './backup/restore-backup.ts';
export type { RestoreOutcome } from './backup/restore-steps.ts';
export { verifyBackup } from './backup/verify-backup.ts';
export {
  type ClaimsReport,
  type ClaimsReset,
  refusedAfterResetSeconds,
  reportClaims,
  resetClaims,
} from './claims.ts';
export type { Remnants } from './clear-remnants.ts';
export { commandActor } from './command-actor.ts';
export { type CopyReport, copyDirectory } from './copy-directory.ts';
export { type ExamineOptions, examine, exitCodeOf } from './doctor/examine.ts';
export type { Finding, FindingLevel, NamedFinding } from './doctor/finding.ts';
export { type ErasedUser, eraseUser, findUsersToErase } from './erase-user.ts';
export { ImportFault } from './import/import-fault.ts';
export { importOrgs, importRoles, importStores, type ListImport } from './import/import-lists.ts';
export type { ListRecord } from './import/import-rows.ts';
export { checkKeys, type KeysReport, type KeyUse } from './keys/check-keys.ts';
export { type FinishReport, finishRotation } from './keys/finish-rotation.ts';
export { describeHolder, type RotationProgress, type RotationReport, rotateKey } from './keys/rotate-key.ts';
export { locateEmptyDatabase, migrateDirectory, repairDirectory } from './migrate-directory.ts';
export {
  defaultTenantName,
  holdsDatabase,
  isOutage,
  MissingDatabaseError,
  type OpenDirectory,
  type OpenDirectoryOptions,
  openDirectory,
  requireDatabase,
  requireVerified,
  useDirectory,
} from './open-directory.ts';
export { countExpiredLinks, type OpenLink, openLinks, withdrawLink } from './operator-links.ts';
export {
  type IssuedLink,
  inviteOperator,
  resetOperator,
  setOperatorStatus,
} from './operators.ts';
export { addSampleUsers, type SampleUser } from './sample-users.ts';
export { conflictMessage, requireNoConflict, settingConflicts } from './setting-conflicts.ts';
export { settingWarnings } from './setting-warnings.ts';
export { createTenant, requireTenant, tenantNameProblem, UnknownTenantError } from './tenants.ts';
