export { AdminError, issueApplication, revokeApplication, rotateSecret } from './admin/applications.ts';
export { type CopyReport, copyDirectory } from './admin/copy-directory.ts';
export { type FileImport, importOrgs, importRoles, importStores } from './admin/import-files.ts';
export { migrateDirectory } from './admin/migrate-directory.ts';
export {
  defaultTenantName,
  holdsDatabase,
  type OpenDirectory,
  type OpenDirectoryOptions,
  openDirectory,
  requireTenant,
  UnknownTenantError,
} from './admin/open-directory.ts';
export { createTenant, tenantNameProblem } from './admin/tenants.ts';
export { appIdProblem, appSecretProblem } from './applications/credentials.ts';
export { MasterKeyError } from './applications/master-key.ts';
export { readSettings, SettingError, type Settings, settingDefinitions } from './config.ts';
export { parseExactJson, stringifyExactJson } from './exact-json.ts';
export { ListenError, type RunningServer, startServer } from './main.ts';
export { SchemaError } from './store/migrations/migrate.ts';
export type {
  ApplicationRecord,
  ApplicationScope,
  ImportCounts,
  OrgRecord,
  RoleImportCounts,
  RoleRecord,
  Store,
  StoreRecord,
  TenantRecord,
} from './store/store.ts';
export { isWorker, serveAsWorker } from './workers/serve-as-worker.ts';
export { type SupervisedWorkers, superviseWorkers } from './workers/supervise-workers.ts';
