import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Access } from '@fieldroster/contract';
import { signRequest } from '@fieldroster/signing';
import type { Kysely } from 'kysely';
import { issueApplication } from '../src/admin/applications.ts';
import { type App, createApp } from '../src/app.ts';
import { SecretVault } from '../src/applications/secret-vault.ts';
import { readSettings, type Settings } from '../src/config.ts';
import type { Database } from '../src/database/database.ts';
import type { Schema } from '../src/database/queries/schema.ts';
import type { Wait } from '../src/fairness/tar-pit.ts';
import { Logger } from '../src/logging/logger.ts';
import { overriding } from './overriding.ts';
import { type AuditRow, readAuditRows } from './read-audit-rows.ts';
import { readWrittenTables } from './read-written-tables.ts';
import { requireDeclaredCode } from './require-declared-code.ts';
import { encodeBody, sendRequest } from './send-request.ts';
import type { Answer, Overrides } from './signed-request.ts';
import { type EngineFaults, openTestDatabase, type TestDatabase } from './test-database.ts';
import { applications, type Credentials, provisionTenants, vaultKey } from './test-tenants.ts';

export type { Answer, Envelope, Overrides } from './signed-request.ts';
export { applications, type Credentials, vaultKey } from './test-tenants.ts';

export interface TestServerOptions {
  readonly settings?: Partial<Settings>;
  /** A folder that outlives the server; a fresh one, removed at the end, when left out. */
  readonly folder?: string;
  readonly lockWaitMs?: number;
  readonly nowMs?: number;
  /** How refused password checks are delayed; not at all when left out. */
  readonly waitToRefuse?: Wait;
  /** How it waits while it drains; with a timer when left out. */
  readonly waitToDrain?: (ms: number) => Promise<unknown>;
  /** See `AppParts.helpStopwatch`; without it, searches for mistakes take no time. */
  readonly helpStopwatch?: () => number;
  /** True hashes passwords at the cost that the product uses; the lowest cost when left out. */
  readonly costlyPasswords?: true;
  /** Wraps the server's database, to observe what the server does with it. */
  readonly wrapDatabase?: (database: Database) => Database;
}

/** The lowest cost that argon2 has: tests hash thousands of passwords. */
export const lowestCost = { memory: 8, passes: 1, parallelism: 1 };

/** Default time at which test servers start, in Unix milliseconds. */
export const startMs = Date.UTC(2026, 0, 15, 12, 0, 0, 250);

/** Starts a server on the engine under test, with its own clock, two tenants and their applications. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const server = new TestServer(options);
  await server.start();
  return server;
}

export class TestServer {
  readonly folder: string;
  readonly settings: Settings;
  readonly vault = new SecretVault(vaultKey);
  /** Every line that was logged, as JSON text. */
  readonly logLines: string[] = [];
  nowMs: number;
  tenantId = 0n;
  otherTenantId = 0n;
  readonly #options: TestServerOptions;
  readonly #agent = new Agent({ keepAlive: true });
  #parts: { database: TestDatabase; app: App; port: number } | undefined;

  constructor(options: TestServerOptions) {
    this.#options = options;
    this.folder = options.folder ?? mkdtempSync(join(tmpdir(), 'fieldroster-test-'));
    // Tests run several at a time, so a burst may wait longer than it would on a machine of its own.
    const overloadWaitMs = 60_000;
    this.settings = {
      ...readSettings({}, {}),
      port: 0,
      data: this.folder,
      overloadWaitMs,
      ...options.settings,
    };
    this.nowMs = options.nowMs ?? startMs;
  }

  get database(): Database {
    return this.#started.database.database;
  }

  get app(): App {
    return this.#started.app;
  }

  get port(): number {
    return this.#started.port;
  }

  /** The test's own connection, separate from the server's. */
  get db(): Kysely<Schema> {
    return this.#started.database.db;
  }

  /** The test's own connection to the bookkeeping. */
  get bookkeeping(): Kysely<Schema> {
    return this.#started.database.bookkeeping;
  }

  /** Patterns of this engine's error messages in the log. */
  get faults(): EngineFaults {
    return this.#started.database.faults;
  }

  get nowSeconds(): number {
    return Math.floor(this.nowMs / 1000);
  }

  get #started() {
    assert(this.#parts !== undefined, 'the test server runs');
    return this.#parts;
  }

  async start(): Promise<void> {
    const now = () => this.nowMs;
    const { folder, vault, settings } = this;
    const { lockWaitMs = 60_000 } = this.#options;
    const opened = await openTestDatabase({ folder, now, lockWaitMs });
    const kept = keepClaims(opened.database);
    const database = this.#options.wrapDatabase?.(kept) ?? kept;
    const { tenantId, otherTenantId } = await provisionTenants(opened, vault);
    this.tenantId = tenantId;
    this.otherTenantId = otherTenantId;
    const logger = new Logger(settings.logLevel, (line) => this.#log(line));
    const app = await createApp({
      settings,
      database,
      vault,
      processId: 'test server',
      logger,
      now,
      waitToRefuse: this.#options.waitToRefuse ?? (async () => {}),
      // A check that takes long on a busy machine must not make the node unready; nor must its age.
      readinessLimits: { intervalMs: 10_000, probeTimeoutMs: 60_000 },
      ...(this.#options.waitToDrain && { waitToDrain: this.#options.waitToDrain }),
      // A busy machine would use up the time for help, and the test's clock never renews it.
      helpStopwatch: this.#options.helpStopwatch ?? (() => 0),
      ...(!this.#options.costlyPasswords && { passwordCost: lowestCost }),
    });
    await app.listener.listen({ host: '127.0.0.1', port: settings.port });
    const { port } = app.listener.server.address() as AddressInfo;
    this.#parts = { database: opened, app, port };
  }

  /** Stops the server; calling it again does nothing. Removes the folder, unless the test supplied it. */
  async close(): Promise<void> {
    if (this.#parts === undefined) return;
    const { app, database } = this.#parts;
    this.#parts = undefined;
    this.#agent.destroy();
    await app.stop();
    await database.close();
    if (this.#options.folder === undefined) rmSync(this.folder, { recursive: true, force: true });
  }

  /** Signs a request with the right headers, sends it, and reads the envelope. */
  async call(method: string, target: string, body?: unknown, overrides: Overrides = {}): Promise<Answer> {
    const bytes = encodeBody(body);
    const path = this.settings.basePath + target;
    const { headers } = this.sign(method, path, bytes, overrides);
    const contentType = bytes === undefined ? {} : { 'Content-Type': 'application/json' };
    const answer = await this.send({
      method,
      target: path,
      headers: { ...contentType, ...headers, ...overrides.headers },
      body: bytes,
      chunked: overrides.chunked,
    });
    requireDeclaredCode(method, target, answer.envelope.code);
    return answer;
  }

  /** Issues another application of the first tenant, which the server knows at once. */
  async issueApplication(scope: Access, credentials: Credentials): Promise<void> {
    const { database, vault } = this;
    await issueApplication({ database, vault }, { name: 'More', tenant: 'default', scope, ...credentials });
    await this.app.applications.refresh();
  }

  /** Returns the three signing headers of a request. */
  sign(method: string, path: string, body?: string | Uint8Array, overrides: Overrides = {}) {
    return signRequest({
      ...(overrides.as ?? applications.main),
      method: overrides.signedMethod ?? method,
      target: overrides.signedTarget ?? path,
      body: overrides.signedBody ?? body,
      timestampSeconds: overrides.timestampSeconds ?? this.nowSeconds,
      nonce: overrides.nonce,
      plus: overrides.plus,
    });
  }

  /** Sends a request as given, and reads the envelope. */
  async send(wire: Parameters<typeof sendRequest>[2]): Promise<Answer> {
    const answer = await sendRequest(this.port, this.#agent, wire);
    const envelope = answer.text === '' ? undefined : JSON.parse(answer.text);
    return { ...answer, envelope, requestId: String(answer.headers['x-request-id']) };
  }

  /** Sends a request, asserts that it succeeds, and returns the answer. */
  async succeed(method: string, target: string, body?: unknown, overrides?: Overrides): Promise<Answer> {
    const answer = await this.call(method, target, body, overrides);
    assert.equal(answer.envelope.code, 0, answer.text);
    assert.equal(answer.status, 200);
    return answer;
  }

  /** Asserts that a request is refused with the code, shows no `data`, and changes nothing at all. */
  async refuse(
    code: number,
    message: RegExp,
    [method, target, body, overrides]: readonly [string, string, unknown?, Overrides?],
  ): Promise<Answer> {
    const before = await this.snapshot();
    const answer = await this.call(method, target, body, overrides);
    assert.equal(answer.envelope.code, code, answer.text);
    assert.deepEqual(Object.keys(answer.envelope), ['code', 'message']);
    assert.match(answer.envelope.message, message);
    assert.deepEqual(await this.snapshot(), before, 'a refused request leaves nothing behind');
    return answer;
  }

  /** Creates a user without a password, to save the time of hashing one. */
  async createUser(username: string, fields: object = {}, as?: Credentials): Promise<number> {
    const answer = await this.succeed('POST', '/user/stores', { username, ...fields }, as && { as });
    return (answer.envelope.data as { id: number }).id;
  }

  async queryUser(id: number | bigint): Promise<Record<string, unknown>> {
    const answer = await this.succeed('GET', `/user?user_id=${id}`);
    return answer.envelope.data as Record<string, unknown>;
  }

  /** Returns the audit rows that a request left. */
  auditOf({ requestId }: Answer): Promise<AuditRow[]> {
    return readAuditRows(this.db, requestId);
  }

  /** Asserts that a request of `applications.main` left this one audit row. */
  async assertAudited(
    answer: Answer,
    operation: string,
    userId: number | undefined,
    changes: unknown,
  ): Promise<void> {
    assert.deepEqual(await this.auditOf(answer), [
      {
        tenantId: this.tenantId,
        atMs: this.nowMs,
        appId: applications.main.appId,
        requestId: answer.requestId,
        operation,
        userId: userId === undefined ? null : BigInt(userId),
        changes,
      },
    ]);
  }

  /** Runs the work while another connection blocks every write of the server. */
  whileLocked<T>(work: () => Promise<T>): Promise<T> {
    return this.#started.database.whileLocked(work);
  }

  /** Drops the users' table, so that every operation fails in a way that no caller can cause. */
  breakDatabase(): Promise<void> {
    return this.#started.database.dropUsers();
  }

  /** Returns all rows that a write could touch. */
  snapshot(): Promise<Record<string, unknown>> {
    return readWrittenTables(this.db);
  }

  #log(line: string): void {
    this.logLines.push(line);
  }
}

/**
 * Makes the server's background work purge no claims. A test may put its clock ahead and back again, and after a purge in
 * between, its writes would be refused as too old to be known.
 */
function keepClaims(database: Database): Database {
  return overriding(database, { claims: overriding(database.claims, { purge: async () => 0 }) });
}
