/** Files of the server that belong together, and what they may import from the others. */
export interface Area {
  readonly files: readonly string[];
  readonly except?: readonly string[];
  readonly allowed: readonly string[];
}

/** The interface of the database: what every other part of the server may see of it. */
export const databaseInterface = [
  'database/database.ts',
  'database/actor.ts',
  'database/applications.ts',
  'database/backups.ts',
  'database/bookkeeping.ts',
  'database/call-records.ts',
  'database/audit-retention.ts',
  'database/claims.ts',
  'database/keys.ts',
  'database/inspection.ts',
  'database/directory-importer.ts',
  'database/user-management.ts',
  'database/binding-targets.ts',
  'database/directory-lists.ts',
  'database/entry-counts.ts',
  'database/erasures.ts',
  'database/operators.ts',
  'database/password-failures.ts',
  'database/rate-reports.ts',
  'database/records.ts',
  'database/stored-settings.ts',
  'database/tenants.ts',
  'database/outcome-unknown-error.ts',
  'database/user-columns.ts',
  'database/activity-metrics.ts',
  'database/commit-counts.ts',
];

export const readinessCheck = 'readiness/readiness-check.ts';

/** How a part of the server records spans. */
export const tracing = 'tracing/trace.ts';

/** How a part of the server describes its metrics. */
export const metricSource = ['metrics/metric-source.ts', 'metrics/distribution.ts'];

/** The areas below `database/`. */
export const databaseAreas: Readonly<Record<string, Area>> = {
  'database/queries/': {
    files: ['database/queries/*'],
    allowed: [
      'database/queries/*',
      'database/migrations/*',
      ...databaseInterface,
      'directory/are-twins.ts',
      'directory/quote-visibly.ts',
      'json/exact-json.ts',
      'json/json-pieces.ts',
      'json/sliced-json.ts',
      'slices/*',
    ],
  },
  'database/migrations/': {
    files: ['database/migrations/*'],
    allowed: ['database/migrations/*', 'database/queries/*'],
  },
  'database/sqlite/': {
    files: ['database/sqlite/*'],
    allowed: [
      'database/sqlite/*',
      'database/queries/*',
      'database/migrations/*',
      'database/database.ts',
      'database/activity-metrics.ts',
      'database/commit-counts.ts',
      ...metricSource,
      tracing,
      'database/copy-session.ts',
      'machine/give-new-file.ts',
      'machine/make-data-folder.ts',
      'machine/closed-folder-above.ts',
      'machine/raise-open-files.ts',
      'own-files.ts',
      'time/deadline.ts',
      'fairness/*',
      'slices/*',
      readinessCheck,
      'words/counted.ts',
    ],
  },
  'database/postgres/': {
    files: ['database/postgres/*'],
    allowed: [
      'database/postgres/*',
      'database/queries/*',
      'database/migrations/*',
      'database/database.ts',
      'database/activity-metrics.ts',
      'database/commit-counts.ts',
      ...metricSource,
      tracing,
      'database/copy-session.ts',
      'time/deadline.ts',
      'machine/is-this-machine.ts',
      'words/counted.ts',
      'logging/at-most-every.ts',
      'fairness/*',
      'time/share-running.ts',
      'time/within-ms.ts',
      readinessCheck,
    ],
  },
  'database/copy-session.ts': {
    files: ['database/copy-session.ts'],
    allowed: ['database/queries/*', 'database/database.ts'],
  },
};
