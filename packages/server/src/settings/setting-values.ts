import { accessSync, constants, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { readDurationMs } from '@fieldroster/contract/duration';
import { parseDatabaseUrl } from '../database/postgres/connections/database-url.ts';
import { networkFault } from '../machine/network-fault.ts';

// Each function converts the text of a setting, or throws what is accepted, as a sentence fragment.

/**
 * Accepts a path to a folder. Refuses paths that only a mistake produces: Docker keeps the quotes in an env file and
 * the carriage returns of Windows line endings, and nothing expands a ~ in a variable. The server would otherwise
 * create that folder and start with an empty directory in it.
 */
export function folder(text: string): string {
  if (text.trim() === '') throw new Error('a string that is not empty');
  if (/^(["']).*\1$/s.test(text)) throw new Error('a path without quotes around it');
  if (text.trim() !== text)
    throw new Error('a path that neither begins nor ends with a space or a line break');
  if (/^~(\/|$)/.test(text))
    throw new Error('a path without ~, such as /srv/fieldroster; ./~ is a folder named ~');
  return text;
}

/** Accepts a path to a folder, or nothing. */
export function optionalFolder(text: string): string {
  return text === '' ? text : folder(text);
}

/** Accepts an address or a host name, and an IPv6 address in brackets, as it stands in a URL. */
export function listenHost(text: string): string {
  const [, inBrackets = ''] = /^\[(.+)\]$/.exec(text) ?? [];
  if (isIP(inBrackets) === 6) return inBrackets;
  if (isIP(text) !== 0 || /^[\w.-]+$/.test(text)) return text;
  throw new Error(
    'an address such as 127.0.0.1, 0.0.0.0 or ::1, or a host name; the port is another setting',
  );
}

/** Converts a duration such as `6h` into milliseconds; 0 is accepted in addition to values within the limits. */
export function duration(minMs: number, maxMs: number) {
  return (text: string): number => {
    const milliseconds = readDurationMs(text);
    if (milliseconds === 0) return 0;
    if (milliseconds !== undefined && milliseconds >= minMs && milliseconds <= maxMs) return milliseconds;
    throw new Error(
      `0, or a duration from ${minMs / 1000}s to ${maxMs / 86_400_000}d, such as 30m, 6h or 1d`,
    );
  };
}

export function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) throw new Error(`a whole number from ${min} to ${max}`);
    return value;
  };
}

export function oneOf<const Word extends string>(...accepted: readonly Word[]) {
  return (text: string): Word => {
    const word = accepted.find((each) => each === text);
    if (word === undefined) throw new Error(`one of ${accepted.join(', ')}`);
    return word;
  };
}

const proxyHopsMax = 32;

/** Networks that Fastify knows by name. */
const namedNetworks: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

export function proxies(text: string): string {
  const entries = text.split(',').map((entry) => entry.trim());
  const isCount = /^\d{1,2}$/.test(text) && Number(text) <= proxyHopsMax;
  if (text === '' || isCount || entries.every(isProxy)) return entries.join(',');
  throw new Error(
    `a number of proxies up to ${proxyHopsMax}, or their addresses separated by commas, such as 10.0.0.1,192.168.0.0/16 or loopback`,
  );
}

function isProxy(text: string): boolean {
  return namedNetworks.includes(text) || networkFault(text) === undefined;
}

/** Accepts a host and a port. Both are required: a forgotten host would open the port to every network. */
export function hostAndPort(text: string): string {
  if (text === '' || isHostAndPort(text)) return text;
  throw new Error('a host and a port, such as 127.0.0.1:9464 or [::1]:9464');
}

/** Accepts a host and a port, or a port alone, which is open to this machine only. */
export function listenAddress(text: string): string {
  const address = /^\d+$/.test(text) ? `127.0.0.1:${text}` : text;
  if (text === '' || isHostAndPort(address)) return address;
  throw new Error('a port such as 8081, or a host and a port, such as 10.0.0.5:8081 or [::1]:8081');
}

function isHostAndPort(text: string): boolean {
  const [, host = '', port = ''] = /^(\[[\da-fA-F:.]+\]|[\w.-]+):(\d{1,5})$/.exec(text) ?? [];
  return host !== '' && Number(port) <= 65_535 && URL.canParse(`http://${text}`);
}

/**
 * Accepts origins as browsers send them. Refuses `*` and `null`, because no page of an unknown origin may use
 * credentials.
 */
export function origins(text: string): string {
  const entries = text.split(',').map((entry) => entry.trim());
  if (text === '' || entries.every(isOrigin)) return entries.join(',');
  throw new Error(
    'one origin, or several separated by commas, such as https://admin.example,http://localhost:5173; no * and no path',
  );
}

/** Accepts one origin, or nothing. */
export function origin(text: string): string {
  if (text === '' || isOrigin(text)) return text;
  throw new Error('one origin, such as https://directory.example; no path and no slash at the end');
}

function isOrigin(text: string): boolean {
  return /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

export function yesOrNo(text: string): boolean {
  return oneOf('yes', 'no')(text) === 'yes';
}

export function onOrOff(text: string): boolean {
  return oneOf('on', 'off')(text) === 'on';
}

/** Accepts what PostgreSQL's driver can read, with the files that it would open for every connection. */
export function databaseUrl(text: string): string {
  if (text === '') return text;
  const { connectionStrings } = parseDatabaseUrl(text);
  const parameters = new URLSearchParams(connectionStrings[0]?.split('?')[1]);
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const path = parameters.get(name);
    if (path && !isReadableFile(path))
      throw new Error(`a URL whose ${name} names a file that this user can read, which ${path} is not`);
  }
  return text;
}

function isReadableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export function basePath(text: string): string {
  const path = text.replace(/\/+$/, '');
  // Clients take the segments . and .. out of a path before they send it, so no request would match.
  if (path !== '' && !/^(\/(?!\.\.?(\/|$))[A-Za-z0-9._~-]+)+$/.test(path)) {
    throw new Error(
      'empty, or a path such as /api/v1 of letters, digits and . _ ~ -, without segments . and ..',
    );
  }
  return path;
}

export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** @param address such as `127.0.0.1:8081` or `[::1]:8081` */
export function splitHostAndPort(address: string): HostAndPort {
  const colon = address.lastIndexOf(':');
  return { host: address.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(address.slice(colon + 1)) };
}

/** Joins what `splitHostAndPort` split. */
export function joinHostAndPort({ host, port }: HostAndPort): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
