import { joinHostAndPort, readSettings, type Settings, settingDefinitions } from '@fieldroster/server/admin';
import { UsageError } from '../run-program.ts';
import { fileSettings } from './config-file.ts';
import { withoutServiceLink } from './server-environment.ts';

/**
 * Returns the address that links to the console begin with, without a slash at the end. Unless it is given,
 * takes it from the environment and the configuration file, which a server on this machine reads too.
 *
 * @throws {UsageError} when the link would lead nowhere
 */
export function consoleAddress({ consoleUrl, config }: { consoleUrl?: string; config?: string }): string {
  if (consoleUrl !== undefined) return requireConsoleUrl(consoleUrl);
  const { console, publicUrl, consoleListen } = readOnly(['console', 'publicUrl', 'consoleListen'], config);
  if (!console) {
    throw new UsageError(
      'the settings turn the console off, so a link would lead nowhere; turn it on, or give the address of another server with --console-url',
    );
  }
  if (publicUrl !== '') return `${publicUrl}/console`;
  const listening =
    consoleListen === '' ? joinHostAndPort(readOnly(['host', 'port'], config)) : consoleListen;
  return `http://${reachable(listening)}/console`;
}

/** Returns the address of the console. A refusal does not repeat the given text, which may hold a password. */
function requireConsoleUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url?.username === '' && url.password === '' && !/[?#\s]/.test(text);
  if (isPlain && /^https?:\/\//.test(text)) {
    const address = text.replace(/\/+$/, '');
    // A server has its console at /console. Only a proxy that changes paths could have it at the origin itself.
    return url.pathname === '/' ? `${address}/console` : address;
  }
  throw new UsageError(
    '--console-url or FIELDROSTER_CONSOLE_URL must be the address of the console, such as https://directory.example/console, without a user, a query or a fragment',
  );
}

/** Reads some settings as `serve` would, and ignores the others, even invalid ones. */
function readOnly<Key extends keyof Settings>(
  keys: readonly Key[],
  config: string | undefined,
): Pick<Settings, Key> {
  const { environment } = withoutServiceLink(process.env);
  const variables = settingDefinitions.filter(({ key }) => (keys as readonly string[]).includes(key));
  const ours = Object.fromEntries(variables.map(({ environment: name }) => [name, environment[name]]));
  return readSettings({}, ours, fileSettings(config, environment, keys));
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
