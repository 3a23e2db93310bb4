import type { Static, TObject } from 'typebox';
import type { ErrorCode } from '../error-codes.ts';
import type { ConsoleErrorCode } from './console-error-codes.ts';

/** The roles of operators. Each includes those before it. */
export const operatorRoles = ['viewer', 'manager', 'owner'] as const;

export type OperatorRole = (typeof operatorRoles)[number];

/**
 * The reach of an operation. The operator must have access to all of it:
 * - `visitor`: nothing; it needs no session.
 * - `self`: the operator's own account.
 * - `tenant`: one tenant, named by the path's `:tenant`.
 * - `deployment`: everything; the operator must have access to all tenants.
 */
export type ConsoleReach = 'visitor' | 'self' | 'tenant' | 'deployment';

/** One operation of the console as data. The server's routes and the page's calls are typed from it. */
export interface ConsoleOperation {
  /** Kebab-case name, identical in the contract, the handler, the audit trail and the log. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below `/console/api`; `:tenant` stands for the id of a tenant. */
  readonly path: string;
  readonly reach: ConsoleReach;
  /** The least role; viewer for an operation that any operator may call. */
  readonly role: OperatorRole;
  readonly summary: string;
  readonly query?: TObject;
  readonly body?: TObject;
  /** Shape of `data` on success. If absent, the envelope has no `data`. */
  readonly data?: TObject;
  /** The answer has something, such as a secret, that the page cannot ask for later. */
  readonly answeredOnce?: true;
  readonly codes: readonly (ConsoleErrorCode | ErrorCode)[];
}

/** Keeps the literal types of an operation, so that handlers and the page's calls are typed from it. */
export function defineConsoleOperation<const Definition extends ConsoleOperation>(
  definition: Definition,
): Definition {
  return definition;
}

type SchemaOf<Definition, Name extends string> = Definition extends { readonly [Key in Name]: infer Schema }
  ? Schema
  : undefined;

type Read<Schema> = Schema extends TObject ? Static<Schema> : unknown;

/** The query parameters and body fields of a call. */
export type ConsoleInput<Definition> = Read<SchemaOf<Definition, 'query'>> &
  Read<SchemaOf<Definition, 'body'>>;

/** The operation's `data`, or nothing. */
export type ConsoleData<Definition> =
  SchemaOf<Definition, 'data'> extends TObject ? Static<SchemaOf<Definition, 'data'>> : undefined;
