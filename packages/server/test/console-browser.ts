import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { newLink } from '../src/console/sign-in/operator-links.ts';
import type { Database, OperatorAccess } from '../src/database/database.ts';
import { parseExactJson, stringifyExactJson } from '../src/json/exact-json.ts';

export const operatorPassword = 'correct horse battery staple';

/** The data of the calls that tests make. Each answer has some of it. */
export interface ConsoleData {
  readonly operator: {
    readonly id: bigint;
    readonly username: string;
    readonly role: string;
    readonly second_factor: boolean;
    readonly second_factor_mandatory: boolean;
    readonly recovery_codes_left: number;
  };
  readonly operators: readonly {
    readonly id: bigint;
    readonly role: string;
    readonly all_tenants: boolean;
  }[];
  readonly open_links: readonly {
    readonly id: string;
    readonly operator_id?: bigint;
    readonly role: string;
    readonly all_tenants: boolean;
    readonly tenant_ids: readonly bigint[];
    readonly made_by?: bigint;
    readonly expires_at: bigint;
  }[];
  readonly tenants: readonly { readonly name: string }[];
  readonly applications: readonly { readonly app_id: string; readonly status: string }[];
  readonly sessions: readonly {
    readonly id: string;
    readonly current: boolean;
    readonly user_agent?: string;
    readonly address?: string;
    readonly created_at: bigint;
    readonly last_seen_at: bigint;
  }[];
  readonly audit_days: bigint;
  readonly calls_days: bigint;
  readonly failed_calls_days: bigint;
  readonly app_id: string;
  readonly app_secret: string;
  readonly token: string;
  readonly purpose: string;
  readonly secret: string;
  readonly uri: string;
  readonly recovery_codes: readonly string[];
}

export interface ConsoleReply {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  /** Without any of its members when the call failed or answers nothing. */
  readonly data: ConsoleData;
  readonly headers: Headers;
}

/** Returns a UUID of version 7 for a time in Unix milliseconds. */
export function uuidV7(nowMs: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes[6] = 0x70 | (bytes.readUInt8(6) & 0x0f);
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The server that a browser calls; its clock, in Unix milliseconds, and its database. */
export interface ConsoleServer {
  readonly port: number;
  readonly nowMs: number;
  /** Needed only to create operators. */
  readonly database?: Pick<Database, 'operators'>;
}

/** Calls the console as its page does: with its cookie, its origin and its headers. */
export class ConsoleBrowser {
  readonly #server: ConsoleServer;
  cookie: string | undefined;
  /** Who is signed in, by the last answer that said so. */
  operatorId: bigint | undefined;

  constructor(server: ConsoleServer) {
    this.#server = server;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  async call(
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string | undefined>> = {},
  ): Promise<ConsoleReply> {
    const all = {
      ...(this.cookie !== undefined && { Cookie: this.cookie }),
      ...(method !== 'GET' && {
        Origin: this.origin,
        'X-Fieldroster-Console': '1',
        'Operator-Id': this.operatorId?.toString(),
        'Change-Id': uuidV7(this.#server.nowMs),
      }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    };
    const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const response = await fetch(`${this.origin}/console/api${path}`, {
      method,
      headers: Object.fromEntries(sent),
      ...(body !== undefined && {
        body: stringifyExactJson(body),
      }),
    });
    this.#keepCookie(response);
    const text = await response.text();
    const envelope = parseExactJson(text) as Omit<ConsoleReply, 'status' | 'headers'>;
    this.operatorId = envelope.data?.operator?.id ?? this.operatorId;
    return { status: response.status, headers: response.headers, ...envelope };
  }

  /** Calls, and asserts that it succeeds. */
  async succeed(...call: Parameters<ConsoleBrowser['call']>): Promise<ConsoleReply> {
    const reply = await this.call(...call);
    assert.equal(reply.code, 0, reply.message);
    return reply;
  }

  /** Creates an operator through a link, as a newcomer does, and is signed in afterwards. */
  async join(username: string, access: OperatorAccess): Promise<ConsoleReply> {
    const { database } = this.#server;
    const { token, link } = newLink(access, this.#server.nowMs);
    assert.ok(database, 'an operator is created in the database');
    await database.operators.write(undefined, async (operators) => {
      await operators.insertLink(link);
      return { result: undefined };
    });
    return this.succeed('POST', '/link', { token, username, password: operatorPassword });
  }

  #keepCookie(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      this.cookie = pair.endsWith('=') ? undefined : pair;
    }
  }
}

export const owner: OperatorAccess = { role: 'owner', allTenants: true, tenantIds: [] };
