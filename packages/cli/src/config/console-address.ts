import { readSettings, settingDefinitions } from '@fieldroster/server/admin';
import { UsageError } from '../run-program.ts';
import { fileSettings } from './config-file.ts';

/** The settings of a server that say where browsers find its console. */
const addressKeys: readonly string[] = ['publicUrl', 'consoleListen'];

/**
 * Returns the address that links to the console begin with, without a slash at the end. Unless it is given, takes it from
 * the environment and the configuration file, which a server on this machine reads too.
 */
export function consoleAddress({ consoleUrl, config }: { consoleUrl?: string; config?: string }): string {
  if (consoleUrl !== undefined) return consoleUrl.replace(/\/+$/, '');
  const variables = settingDefinitions.filter(({ key }) => addressKeys.includes(key));
  const ours = Object.fromEntries(variables.map(({ environment: name }) => [name, process.env[name]]));
  const { publicUrl, consoleListen } = readSettings({}, ours, fileSettings(config, process.env, addressKeys));
  if (publicUrl !== '') return `${publicUrl}/console`;
  return `http://${consoleListen === '' ? '127.0.0.1:8080' : reachable(consoleListen)}/console`;
}

/** Returns an address for a browser on the machine of the server. */
function reachable(listening: string): string {
  if (listening.endsWith(':0')) {
    throw new UsageError(
      `the console listens on ${listening}, where the system chooses the port; give its address with --console-url`,
    );
  }
  return listening.replace(/^(0\.0\.0\.0|\[::\]):/, '127.0.0.1:');
}
