import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { Schema } from './schema.ts';
import type { Engine, Session } from './session.ts';

/** Represents a value while a query is compiled. */
export class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

interface Executable extends Compilable<unknown> {
  execute(): Promise<unknown>;
}

type Values = Readonly<Record<string, unknown>>;

const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });

/**
 * Builds a query the first time it runs on an engine, and afterwards only fills in its values. Building costs several
 * times as much as running, which matters for the queries of every request.
 *
 * @param build builds the query; the properties of its second argument are placeholders
 */
export function compileOnce<V extends Values, Row>(
  build: (db: Kysely<Schema>, value: V, engine: Engine) => Compilable<Row>,
): (session: Session, values: V) => Promise<Row[]> {
  const planOf = plansOf(build);
  return async (session, values) => {
    const { sql, parameters } = planOf(session);
    return session.statements.all(sql, fill(parameters, values)) as Promise<Row[]>;
  };
}

/**
 * Like `compileOnce`, for a statement whose rows nobody needs. Where statements are pipelined, nothing waits for its
 * answer: if it fails, the transaction does.
 */
export function compileUnanswered<V extends Values>(
  build: (db: Kysely<Schema>, value: V, engine: Engine) => Compilable<unknown>,
): (session: Session, values: V) => Promise<void> {
  const planOf = plansOf(build);
  return async (session, values) => {
    const { pipeline } = session.statements;
    const { sql, parameters } = planOf(session);
    if (pipeline === undefined) await session.statements.all(sql, fill(parameters, values));
    else pipeline.send(sql, fill(parameters, values));
  };
}

/** Runs a query that differs from call to call like those of `compileUnanswered`. */
export async function runUnanswered(session: Session, query: Executable): Promise<void> {
  const { pipeline } = session.statements;
  if (pipeline === undefined) {
    await query.execute();
    return;
  }
  const { sql, parameters } = query.compile();
  pipeline.send(sql, parameters);
}

/** Returns the query's compiled form for each engine. Each property of `value` is a placeholder of that name. */
export function plansOf<V>(build: (db: Kysely<Schema>, value: V, engine: Engine) => Compilable<unknown>) {
  const plans = new WeakMap<Engine, CompiledQuery>();
  return ({ db, engine }: Session): CompiledQuery => {
    let plan = plans.get(engine);
    if (plan === undefined) {
      plan = build(db, placeholders as V, engine).compile();
      plans.set(engine, plan);
    }
    return plan;
  };
}

function fill(parameters: readonly unknown[], values: Values): unknown[] {
  return parameters.map((parameter) =>
    parameter instanceof Placeholder ? values[parameter.name] : parameter,
  );
}
