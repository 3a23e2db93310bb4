import pg from 'pg';
import { parseDatabaseUrl } from './database-url.ts';

/** A database would be reached in a way that others on the network can read or change. */
export class UnverifiedConnectionError extends Error {
  override readonly name = 'UnverifiedConnectionError';
}

/**
 * Refuses a URL that leads to another machine without TLS, or without checking who answers there. What counts is
 * what the driver makes of the URL and of the variables it reads, such as `PGSSLMODE`.
 *
 * @throws {UnverifiedConnectionError}
 */
export function requireVerifiedConnections(url: string): void {
  for (const connectionString of parseDatabaseUrl(url).connectionStrings) {
    const client = new pg.Client({ connectionString });
    const problem = isThisMachine(client.host) ? undefined : problemOf(client.ssl);
    if (problem === undefined) continue;
    throw new UnverifiedConnectionError(
      `the database at ${client.host} would be reached ${problem}; add sslmode=verify-full to its URL, or accept ` +
        'the risk with --database-insecure yes or FIELDROSTER_DATABASE_INSECURE=yes',
    );
  }
}

/** By a socket in the file system, or over the loopback interface. */
function isThisMachine(host: string): boolean {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function problemOf(ssl: unknown): string | undefined {
  if (!ssl) return 'without TLS';
  const { rejectUnauthorized } = Object(ssl) as { rejectUnauthorized?: boolean };
  // Node.js checks no certificate at all when this variable is set, unless the connection insists.
  const verifies = rejectUnauthorized ?? process.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0';
  return verifies ? undefined : 'over TLS that does not check its certificate';
}
