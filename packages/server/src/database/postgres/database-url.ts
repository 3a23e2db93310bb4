/** The database URL cannot be used. The message says why, without its password. */
export class DatabaseUrlError extends Error {
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

/**
 * Parses a libpq-style URL. It may list several hosts; the server uses one that takes writes. `target_session_attrs` is
 * accepted as in libpq, but writes always need a primary.
 *
 * @throws {DatabaseUrlError}
 */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  const parts = form.exec(text)?.groups;
  if (parts === undefined)
    throw new DatabaseUrlError('a URL such as postgres://user:password@host:5432/name');
  const { scheme = '', login, hosts = '', database = '', query = '' } = parts;
  const parameters = new URLSearchParams(query);
  requireKnownAttributes(parameters.get('target_session_attrs'));
  parameters.delete('target_session_attrs');
  const rest = `${database}${parameters.size > 0 ? `?${parameters}` : ''}`;
  const prefix = `${scheme}${login === undefined ? '' : `${login}@`}`;
  return {
    hosts: hosts.split(',').map((host) => host || parameters.get('host') || 'localhost'),
    connectionStrings: hosts.split(',').map((host) => `${prefix}${host}${rest}`),
    location: `${hosts || parameters.get('host') || 'localhost'}${database}`,
  };
}

function requireKnownAttributes(attributes: string | null): void {
  if (attributes === null || sessionAttributes.includes(attributes)) return;
  throw new DatabaseUrlError(`a URL whose target_session_attrs is one of ${sessionAttributes.join(', ')}`);
}
