import { OperatorError } from '../../../errors/operator-error.ts';

/** The database URL cannot be used. The message says why, without its password. */
export class DatabaseUrlError extends OperatorError {
  override readonly name = 'DatabaseUrlError';
}

export interface DatabaseUrl {
  /** One connection string for each host, in the order given. */
  readonly connectionStrings: readonly string[];
  /** The host of each connection string, without user and password, for messages. */
  readonly hosts: readonly string[];
  /** The database's location, without user and password, for messages. */
  readonly location: string;
}

const form =
  /^(?<scheme>postgres(?:ql)?:\/\/)(?:(?<login>[^/?]*)@)?(?<hosts>[^@/?]*)(?<database>\/[^?]*)?(?:\?(?<query>.*))?$/;

const sessionAttributes = ['any', 'read-write', 'primary'];

const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/**
 * Parses a libpq-style URL. It may list several hosts; the server uses one that takes writes. `target_session_attrs` is
 * accepted as in libpq, but writes always need a primary.
 *
 * @throws {DatabaseUrlError}
 */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  // The driver would take the rest for a fragment, and the beginning of a password for a host.
  if (text.includes('#')) {
    throw new DatabaseUrlError(
      'a URL without the character #; write it as %23 in a user name, password or path',
    );
  }
  if (text !== text.trim())
    throw new DatabaseUrlError(
      'a URL without white space, line ends or a byte order mark at its beginning or end',
    );
  // The name of the database is shown in messages; after a line end, a file may contain another secret.
  if (/\p{Cc}/u.test(text)) throw new DatabaseUrlError('a URL on one line, without control characters');
  const parts = form.exec(text)?.groups;
  if (parts === undefined) throw new DatabaseUrlError(`${example}; ${encoding}`);
  const { scheme = '', login, hosts = '', database = '', query = '' } = parts;
  const parameters = new URLSearchParams(query);
  requireKnown('target_session_attrs', parameters, sessionAttributes);
  requireKnown('sslmode', parameters, sslModes);
  requireAuthority(parameters);
  requireHosts(hosts.split(','));
  requirePorts(hosts.split(','), parameters.get('port') ?? '');
  parameters.delete('target_session_attrs');
  insistOnVerification(parameters);
  const rest = `${database}${parameters.size > 0 ? `?${parameters}` : ''}`;
  const prefix = `${scheme}${login === undefined ? '' : `${login}@`}`;
  const connectionStrings = hosts.split(',').map((host) => `${prefix}${host}${rest}`);
  if (!connectionStrings.every(isReadable)) throw new DatabaseUrlError(`${example}; ${encoding}`);
  return {
    hosts: hosts.split(',').map((host) => host || parameters.get('host') || 'localhost'),
    connectionStrings,
    location: `${hosts || parameters.get('host') || 'localhost'}${database}`,
  };
}

/** The modes that the driver treats as `verify-full`. */
const aliases = ['prefer', 'require', 'verify-ca'];

/**
 * Replaces an alias of `verify-full` by that mode. The driver warns of each alias, because a later release of the
 * driver will verify less for it.
 */
function insistOnVerification(parameters: URLSearchParams): void {
  if (!isLibpq(parameters) && aliases.includes(modeOf(parameters))) parameters.set('sslmode', 'verify-full');
}

/** The driver's own words for this are a paragraph about other settings. */
function requireAuthority(parameters: URLSearchParams): void {
  if (!isLibpq(parameters) || modeOf(parameters) !== 'verify-ca' || parameters.get('sslrootcert')) return;
  throw new DatabaseUrlError(
    'a URL whose sslrootcert names the file of the authority, which sslmode=verify-ca needs with uselibpqcompat=true; or take sslmode=verify-full',
  );
}

function isLibpq(parameters: URLSearchParams): boolean {
  return parameters.getAll('uselibpqcompat').at(-1) === 'true';
}

/** The driver uses the last one. */
function modeOf(parameters: URLSearchParams): string {
  return parameters.getAll('sslmode').at(-1) ?? '';
}

const example = 'a URL such as postgres://user:password@host:5432/name';

const encoding =
  'a special character in its user name or password must be percent-encoded, such as @ as %40, / as %2F and ? as %3F';

function requireKnown(name: string, parameters: URLSearchParams, known: readonly string[]): void {
  // The driver ignores an empty value.
  if (parameters.getAll(name).every((value) => value === '' || known.includes(value))) return;
  throw new DatabaseUrlError(`a URL whose ${name} is one of ${known.join(', ')}`);
}

/** The driver would look such a host up, and the server would say that the database is unavailable. */
function requireHosts(hosts: readonly string[]): void {
  if (hosts.some((host) => /\s/.test(host)))
    throw new DatabaseUrlError(`a URL without white space in its host; ${encoding}`);
}

/** @param parameter the port in the query, '' if there is none */
function requirePorts(hosts: readonly string[], parameter: string): void {
  const ports = hosts.map((host) => /^(?:\[[^\]]*\]|[^:]*)(?::(?<port>.*))?$/.exec(host)?.groups?.port ?? '');
  if ([...ports, parameter].every((port) => port === '' || isPort(port))) return;
  throw new DatabaseUrlError(`a URL whose port is a number from 1 to 65535; ${encoding}`);
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

/** Returns whether the driver can read a connection string. It encodes spaces and single percent signs itself. */
function isReadable(connectionString: string): boolean {
  const isRaw = / |%[^\da-f]|%[\da-f][^\da-f]/i.test(connectionString);
  const encoded = isRaw ? encodeURI(connectionString).replaceAll(/%25(\d\d)/g, '%$1') : connectionString;
  try {
    // The host is empty where the query names the folder of a socket.
    const { username, password, hostname, pathname } = new URL(encoded.replace('@/', '@localhost/'));
    for (const part of [username, password, hostname, pathname]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}
