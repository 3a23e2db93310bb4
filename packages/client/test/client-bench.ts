import {
  applications,
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '../../server/test/test-server.ts';
import type { FieldrosterClientOptions, IdMode } from '../src/client-options.ts';
import { FieldrosterClient } from '../src/fieldroster-client.ts';
import { UnreliableProxy } from './unreliable-proxy.ts';

/** A server, an unreliable connection to it, and a client. Time stands still until a test moves it. */
export class ClientBench implements AsyncDisposable {
  readonly server: TestServer;
  readonly proxy: UnreliableProxy;
  /** The local clock of the clients, in Unix milliseconds. */
  localMs: number;

  private constructor(server: TestServer, proxy: UnreliableProxy) {
    this.server = server;
    this.proxy = proxy;
    this.localMs = server.nowMs;
  }

  static async open(options: TestServerOptions = {}): Promise<ClientBench> {
    const server = await startTestServer({ nowMs: Date.now(), ...options });
    return new ClientBench(server, await UnreliableProxy.start(server.port));
  }

  /** Returns a client that hardly waits between attempts. */
  client<const Ids extends IdMode = 'bigint'>(
    options: Partial<FieldrosterClientOptions<Ids>> = {},
  ): FieldrosterClient<Ids> {
    const { basePath } = this.server.settings;
    return new FieldrosterClient<Ids>({
      url: this.proxy.url + basePath,
      ...applications.main,
      now: () => this.localMs,
      ...options,
      retry: { delayMs: 1, delayMsMax: 5, ...options.retry },
    });
  }

  /** Advances both clocks. */
  passTime(ms: number): void {
    this.localMs += ms;
    this.server.nowMs += ms;
  }

  /** Returns the number of audit rows of the operation: one for each time it took effect. */
  async timesApplied(operation: string): Promise<number> {
    const rows = await this.server.db
      .selectFrom('audit_event')
      .select('id')
      .where('operation', '=', operation)
      .execute();
    return rows.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.proxy.close();
    await this.server.close();
  }
}
