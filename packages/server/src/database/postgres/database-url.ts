/** The database URL cannot be used; the message says why and never repeats its password. */
export class DatabaseUrlError extends Error {
  override readonly name = 'DatabaseUrlError';
}

export interface DatabaseUrl {
  /** One connection string for each host, in the order given. */
  readonly connectionStrings: readonly string[];
  /** The host of each, without user and password, for messages. */
  readonly hosts: readonly string[];
  /** Where it leads, without user and password, for messages. */
  readonly location: string;
}

const form =
  /^(?<scheme>postgres(?:ql)?:\/\/)(?:(?<login>[^/?]*)@)?(?<hosts>[^@/?]*)(?<database>\/[^?]*)?(?:\?(?<query>.*))?$/;

const sessionAttributes = ['any', 'read-write', 'primary'];

/**
 * Reads a URL of libpq's form. It may list several hosts, of which the first that takes writes is used;
 * `target_session_attrs` is accepted as libpq has it, and writes need a primary in any case.
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
