import pg from 'pg';
import { OperatorError } from '../../../errors/operator-error.ts';
import { isThisMachine } from '../../../machine/is-this-machine.ts';
import { parseDatabaseUrl } from './database-url.ts';

/** Others on the network could read or change the traffic to the database. */
export class UnverifiedConnectionError extends OperatorError {
  override readonly name = 'UnverifiedConnectionError';
}

/**
 * Rejects a URL that leads to another machine without TLS, or without verifying the server. Decides by the driver's
 * reading of the URL and of environment variables such as `PGSSLMODE`.
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

function problemOf(ssl: unknown): string | undefined {
  if (!ssl) return 'without TLS';
  const { rejectUnauthorized } = Object(ssl) as { rejectUnauthorized?: boolean };
  // With this variable, Node.js checks no certificate at all unless the connection insists.
  const verifies = rejectUnauthorized ?? process.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0';
  return verifies ? undefined : 'over TLS that does not check its certificate';
}
