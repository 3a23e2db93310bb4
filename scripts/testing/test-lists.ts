/** Tests that run a second time with servers on PostgreSQL. Those independent of the engine are left out. */
export const onBothEngines: readonly string[] = [
  'operations',
  'admin/audit-trail.test.ts',
  'call-records/call-records.test.ts',
  'pipeline/resent-passwords.test.ts',
  'pipeline/steps/claim-once.test.ts',
  'console/daily-counts.test.ts',
  'console/sign-in/mandatory-second-factor.test.ts',
  'console/rights-lost-meanwhile.test.ts',
  'console/handlers/audit.test.ts',
  'console/handlers/calls.test.ts',
  'console/handlers/change-users.test.ts',
  'console/handlers/move-stores.test.ts',
  'console/sign-in/operator-links.test.ts',
  'console/sign-in/own-second-factor.test.ts',
  'console/sign-in/own-sessions.test.ts',
  'http/health.test.ts',
  'http/keep-write-order.test.ts',
  'http/log/request-log.test.ts',
].map((name) => `packages/server/src/${name}`);

/**
 * Folders whose tests need a PostgreSQL that is already running. If one of them runs, every test of the run that calls
 * `openTestPostgres` shares it.
 */
export const foldersOnPostgres: readonly string[] = ['packages/server/src', 'e2e/postgres'];

/** Folders with tests that start their own PostgreSQL; their files are initialised once for all of them. */
export const foldersWithPostgres: readonly string[] = ['packages/server/src', 'packages/cli/src', 'e2e'];

/** Folders whose tests start the command; it is bundled once for all of them. */
export const foldersWithCommand: readonly string[] = ['e2e', 'packages/cli'];

/** The files that take longest start first, so that none of them runs alone at the end. */
export const longFiles: readonly string[] = [
  'e2e/console/console.test.ts',
  'e2e/packages/published-packages.test.ts',
  'e2e/reference.test.ts',
  'e2e/generated-clients',
  'e2e/faults/key-rotation.test.ts',
  'e2e/console',
  'e2e/examples',
  'packages/server/src/database',
  'packages/server/src/admin/backup',
];

/**
 * Tests that need a process of their own: they change it, count its timers or start test runners. One needs names for its
 * prepared statements, of which a process has at most 500.
 */
export const filesAlone: readonly string[] = [
  'packages/server/src/database/postgres/errors/postgres-error.test.ts',
  'packages/server/src/database/postgres/connections/require-verified-connections.test.ts',
  'packages/server/src/readiness/readiness.test.ts',
  'packages/server/src/workers/supervise-workers.test.ts',
  'scripts/test.test.ts',
];

/**
 * Tests that measure the work of a server, or give it little time. They run before all others, one at a time: what runs
 * beside them would slow the server down.
 */
export const filesInQuiet: readonly string[] = [
  'e2e/application-changes.test.ts',
  'e2e/attack/content-type.test.ts',
  'e2e/attack/costly-searches.test.ts',
  'e2e/attack/frozen-loop.test.ts',
  'e2e/attack/help-cost.test.ts',
  'e2e/attack/long-proxy-chains.test.ts',
  'e2e/attack/long-queries.test.ts',
  'e2e/attack/one-byte-chunks-at-once.test.ts',
  'e2e/attack/stalled-uploads.test.ts',
  'e2e/faults/hung-database.test.ts',
  'e2e/faults/noisy-application.test.ts',
  'e2e/faults/shared-rate-limit.test.ts',
];

/** Tests of processes sometimes wait, so more of them run at once than there are cores. */
export const foldersOfProcesses: readonly string[] = [
  'e2e',
  'examples',
  'bench',
  'scripts',
  'packages/cli',
  'packages/client',
];
