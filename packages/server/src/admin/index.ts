/** Works on a directory without serving it. A command that imports this loads none of the HTTP server. */
export { appIdProblem, appSecretProblem } from '../applications/credentials.ts';
export { MasterKeyError } from '../applications/master-key.ts';
export { readSettings, SettingError, type Settings, settingDefinitions } from '../config.ts';
export type {
  ApplicationRecord,
  ApplicationScope,
  Database,
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
export { SchemaError } from '../database/migrations/migrate.ts';
export { parseExactJson, stringifyExactJson } from '../exact-json.ts';
export { AdminError, issueApplication, revokeApplication, rotateSecret } from './applications.ts';
export {
  type ClaimsReport,
  type ClaimsReset,
  refusedAfterResetSeconds,
  reportClaims,
  resetClaims,
} from './claims.ts';
export { type CopyReport, copyDirectory } from './copy-directory.ts';
export { CsvError } from './csv-error.ts';
export type { CsvRecord } from './csv-records.ts';
export { type FileImport, importOrgs, importRoles, importStores } from './import-files.ts';
export { migrateDirectory } from './migrate-directory.ts';
export {
  defaultTenantName,
  holdsDatabase,
  MissingDatabaseError,
  type OpenDirectory,
  type OpenDirectoryOptions,
  openDirectory,
  requireDatabase,
  requireTenant,
  UnknownTenantError,
} from './open-directory.ts';
export {
  type IssuedLink,
  inviteOperator,
  resetOperator,
  setOperatorStatus,
} from './operators.ts';
export { addSampleUsers } from './sample-users.ts';
export { createTenant, tenantNameProblem } from './tenants.ts';
