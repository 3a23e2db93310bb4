/** A user as its answers and audit rows show it. */
export interface UserState {
  readonly id: number;
  readonly realName: string;
  readonly phone: string;
  readonly status: string;
  readonly role: number | null;
  readonly org: number | null;
  readonly stores: readonly string[];
  readonly password: string | undefined;
  readonly revision: number;
  /** How many audit rows the user has. */
  readonly rows: number;
}

/** A role, an organization or a store. */
export interface TargetState {
  readonly name: string;
  readonly revision: number;
}

/** `user` with a username, `store` with a code, `role` or `org` with an id. */
export type EntityKey = `${'user' | 'store' | 'role' | 'org'}:${string}`;

export type EntityState = UserState | TargetState | undefined;

/** Expects something of a state that an entity had when its call was carried out. */
export interface Sight {
  readonly entity: EntityKey;
  readonly holds: (state: EntityState) => boolean;
  /** Whether a moment between this and the other sights of the call is allowed. */
  readonly apart?: boolean;
}

/** What a call that succeeded did to an entity. */
export interface Effect {
  readonly entity: EntityKey;
  /** Returns the state after it; throws if the call should have been refused. */
  readonly apply: (before: EntityState) => EntityState;
}

/** A signed call and what it means. */
export interface PlannedCall {
  readonly method: string;
  readonly target: string;
  readonly content?: Readonly<Record<string, unknown>>;
  /** Says what the answer shows. Effects belong to the answer 0 alone. */
  readonly explain: (answered: Answered) => {
    readonly effects?: readonly Effect[];
    readonly sights?: readonly Sight[];
  };
}

export interface Answered {
  readonly code: number;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly etag: number | undefined;
}

/** A call with its answer. The positions count sends and answers of all clients together. */
export interface RecordedCall extends PlannedCall {
  readonly client: number;
  readonly sentAt: number;
  /** `Infinity` if no answer arrived. */
  readonly answeredAt: number;
  readonly answered: Answered | undefined;
  readonly requestId: string | undefined;
}

export const isUser = (state: EntityState): state is UserState => state !== undefined && 'stores' in state;

/** Returns the state if it is that user, and `undefined` for another user of the same name. */
export function asUser(state: EntityState, id?: number): UserState | undefined {
  return isUser(state) && (id === undefined || state.id === id) ? state : undefined;
}
