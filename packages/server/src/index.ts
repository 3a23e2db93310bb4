export * from './admin/index.ts';
export { BusyError } from './errors/busy-error.ts';
export { OperatorError } from './errors/operator-error.ts';
export { describeCause, logLine } from './logging/logger.ts';
export { openServerLog, type ServerLog, writesJson } from './logging/server-log.ts';
export {
  ListenError,
  memoryWarnings,
  type ProgramCommands,
  type RunningServer,
  requireFreePorts,
  type ServerOptions,
  type ServingProcess,
  startServer,
} from './main.ts';
export { isWorker, serveAsWorker } from './workers/serve-as-worker.ts';
export { superviseWorkers } from './workers/supervise-workers.ts';
export type { SupervisedWorkers } from './workers/supervised-workers.ts';
