/** Environment variable that gives a worker the port that its supervisor chose. */
export const workerPortVariable = 'FIELDROSTER_WORKER_PORT';

/**
 * Environment variable that gives a worker the host and port of the console's own listener,
 * as its supervisor chose them.
 */
export const workerConsoleVariable = 'FIELDROSTER_WORKER_CONSOLE';

/** Environment variable that gives a worker the newest primary that its supervisor knows, as JSON. */
export const workerPrimaryVariable = 'FIELDROSTER_WORKER_PRIMARY';

/** The environment variables that a supervisor sets for its workers. */
export const workerVariables = [workerPortVariable, workerConsoleVariable, workerPrimaryVariable];
