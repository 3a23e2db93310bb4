import pg from 'pg';

export interface QueryToSend {
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Prepares the statement under this name, once for each connection. */
  readonly name?: string;
  /** How long the driver waits for the answer, in milliseconds; as long as the connection's setting by default. */
  readonly timeoutMs?: number | undefined;
}

/** The driver's messages to PostgreSQL; its type definitions leave them out. */
export interface WireConnection {
  readonly stream: { cork(): void; uncork(): void };
  bind(message: { portal: string; statement: string; values: readonly unknown[] }): void;
  execute(message: { portal: string }): void;
}

/** The members of the driver's queries that its type definitions leave out. */
interface DriverQuery {
  name?: string | undefined;
  queryMode?: 'extended';
  query_timeout?: number | undefined;
  submit(connection: WireConnection): Error | null;
  callback: (error: Error | null, results: unknown) => void;
}

/** The member of the driver's connections that says which statement is being answered. */
interface DriverClient {
  _getActiveQuery(): { readonly text?: string } | null | undefined;
}

/**
 * Sends a statement. Given an object instead of a query, the driver copies it by its property descriptors, and then reads
 * a slow copy.
 *
 * @param before sends messages that PostgreSQL carries out together with the statement, or else skips both
 */
export function sendQuery(
  client: pg.ClientBase,
  { text, values = [], name, timeoutMs }: QueryToSend,
  before?: (connection: WireConnection) => void,
): Promise<unknown> {
  const query = new pg.Query(text, values as unknown[]) as unknown as DriverQuery;
  query.name = name;
  query.query_timeout = timeoutMs;
  if (before !== undefined) sendBefore(query, before);
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  query.callback = (error, results) => {
    if (error) reject(error);
    // A statement that was sent before this one has its own result, which comes first.
    else resolve(Array.isArray(results) ? results.at(-1) : results);
  };
  client.query(query as never);
  return promise;
}

/**
 * Returns whether the driver is reading the answer to a statement of this text. A notice that arrives belongs to that
 * statement, even if later ones were sent after it.
 */
export function isAnswering(client: pg.ClientBase, text: string): boolean {
  return (client as unknown as DriverClient)._getActiveQuery()?.text === text;
}

function sendBefore(query: DriverQuery, before: (connection: WireConnection) => void): void {
  // PostgreSQL would skip a statement of the simple protocol without an answer.
  query.queryMode = 'extended';
  const submit = query.submit.bind(query);
  query.submit = (connection) => {
    connection.stream.cork();
    before(connection);
    const error = submit(connection);
    connection.stream.uncork();
    return error;
  };
}
