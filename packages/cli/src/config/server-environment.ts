import { settingDefinitions, workerVariables } from '@fieldroster/server/admin';
import {
  fileVariable,
  type OnSecretProblem,
  secretVariables,
  withSecretFiles,
} from '../files/secret-files.ts';
import { configVariable } from './config-file.ts';

/** The environment of `serve`, with its secrets loaded and without a Kubernetes Service link. */
export interface ServerEnvironment {
  readonly environment: NodeJS.ProcessEnv;
  /** One line for each ignored variable. No line contains a value that could be a secret. */
  readonly warnings: readonly string[];
}

/**
 * Reads the environment of a server: loads secrets from their files, and distinguishes settings from what
 * Kubernetes sets for a Service named `fieldroster`.
 *
 * @param onProblem called for each secret that cannot be read; the first one is thrown when it is left out
 */
export function readServerEnvironment(
  given: NodeJS.ProcessEnv,
  onProblem?: OnSecretProblem,
): ServerEnvironment {
  const { environment, warnings } = withoutServiceLink(given);
  return {
    environment: withSecretFiles(environment, serverSecrets, onProblem),
    warnings: [...warnings, ...unknownVariables(environment).map(describeUnknown)],
  };
}

const serverSecrets = secretVariables.filter((variable) => variable !== 'FIELDROSTER_APP_SECRET');

const portVariable = 'FIELDROSTER_PORT';

/** How a service link begins. Kubernetes sets one in every pod of the namespace, and so overrides the port of an image. */
const serviceLink = /^(tcp|udp|sctp):\/\//;

/** Leaves out the port if Kubernetes set it, as `serve` does. */
export function withoutServiceLink(environment: NodeJS.ProcessEnv): ServerEnvironment {
  const { [portVariable]: port, ...others } = environment;
  if (port === undefined || !serviceLink.test(port)) return { environment, warnings: [] };
  const warning =
    `ignoring ${portVariable}=${JSON.stringify(port)}: it is a service link, which Kubernetes sets for a Service ` +
    'named fieldroster; set enableServiceLinks: false in the pod, and choose a port with --port';
  return { environment: others, warnings: [warning] };
}

const serviceLinks = /^FIELDROSTER_(SERVICE|PORT)_/;

/** Variables of other commands, and those that our own processes use among themselves. */
const otherVariables = [
  configVariable,
  'FIELDROSTER_URL',
  'FIELDROSTER_CONSOLE_URL',
  'FIELDROSTER_APP_ID',
  ...workerVariables,
];

function unknownVariables(environment: NodeJS.ProcessEnv): readonly string[] {
  const known = new Set([
    ...settingDefinitions.map((definition) => definition.environment),
    ...secretVariables,
    ...secretVariables.map(fileVariable),
    ...otherVariables,
  ]);
  return Object.keys(environment).filter(
    (name) => name.startsWith('FIELDROSTER_') && !serviceLinks.test(name) && !known.has(name),
  );
}

function describeUnknown(name: string): string {
  return `ignoring the environment variable ${name}: there is no such setting; fieldroster serve --help lists them all`;
}
