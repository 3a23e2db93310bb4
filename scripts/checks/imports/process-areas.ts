import { type Area, metricSource } from './database-areas.ts';

/** Knowledge of one process that its siblings under the supervisor share. */
const primaryHistory = 'database/postgres/connections/primary-history.ts';

const metricSnapshot = 'metrics/metric-snapshot.ts';

const workerReports = 'rates/worker-reports.ts';

/** The areas that start the server and put its parts together. */
export const processAreas: Readonly<Record<string, Area>> = {
  'index.ts': {
    files: ['index.ts', 'admin/index.ts'],
    allowed: [
      'main.ts',
      'workers/*',
      'logging/logger.ts',
      'logging/server-log.ts',
      'admin/*',
      'applications/*',
      'call-records/call-recorder.ts',
      'config.ts',
      'json/exact-json.ts',
      'words/counted.ts',
      'words/quote-for-shell.ts',
      // The errors that a command catches, without the code that throws them.
      'database/database.ts',
      'database/migrations/migrate.ts',
    ],
  },
  'workers/': {
    files: ['workers/*'],
    allowed: [
      'workers/*',
      'main.ts',
      'config.ts',
      'logging/logger.ts',
      'metrics/start-metrics.ts',
      metricSnapshot,
      'metrics/metric-source.ts',
      'metrics/ready-gauge.ts',
      'metrics/server-metrics.ts',
      primaryHistory,
      workerReports,
      'database/database.ts',
      'machine/listen-error.ts',
      'machine/raise-open-files.ts',
      'time/within-ms.ts',
    ],
  },
  'metrics/': {
    files: ['metrics/*'],
    allowed: [
      'metrics/*',
      'http/limits/idle-connections.ts',
      'http/parsing/skip-bodies.ts',
      'http/parsing/stop-parsing.ts',
      'http/log/call-observer.ts',
      'machine/listen-error.ts',
      'time/share-running.ts',
      'time/within-ms.ts',
    ],
  },
  'main.ts': {
    files: ['main.ts'],
    allowed: [
      'app.ts',
      'admin/open-directory.ts',
      'admin/backup/*',
      'applications/key-upkeep.ts',
      'applications/warn-of-separate-servers.ts',
      'console/deployment.ts',
      'config.ts',
      'database/database.ts',
      'errors/end-if-start-fails.ts',
      'machine/is-this-machine.ts',
      'machine/listen-error.ts',
      'machine/probe-address.ts',
      'logging/*',
      'metrics/*',
      'tracing/start-tracing.ts',
      primaryHistory,
      workerReports,
    ],
  },
  'app.ts': {
    files: ['app.ts'],
    allowed: [
      'call-records/*',
      'http/*',
      'pipeline.ts',
      'pipeline/*',
      'applications/*',
      'console/*',
      'directory/*',
      'passwords/*',
      'rates/*',
      'readiness/*',
      'upkeep/*',
      'config.ts',
      'errors/end-if-start-fails.ts',
      'time/deadline.ts',
      'logging/limit-repeats.ts',
      'logging/logger.ts',
      'database/database.ts',
      'fairness/*',
      ...metricSource,
      'metrics/ready-gauge.ts',
    ],
  },
};
