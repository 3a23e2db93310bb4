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
  const plans = new WeakMap<Engine, CompiledQuery>();
  return async (session, values) => {
    const { engine, statements } = session;
    let plan = plans.get(engine);
    if (plan === undefined) {
      plan = compileWithPlaceholders(session, build);
      plans.set(engine, plan);
    }
    const parameters = fill(plan.parameters, values);
    return statements.all(plan.sql, parameters) as Promise<Row[]>;
  };
}

/** Compiles a query in which each property of `value` is a placeholder of that name. */
export function compileWithPlaceholders<V>(
  { db, engine }: Session,
  build: (db: Kysely<Schema>, value: V, engine: Engine) => Compilable<unknown>,
): CompiledQuery {
  return build(db, placeholders as V, engine).compile();
}

function fill(parameters: readonly unknown[], values: Values): unknown[] {
  return parameters.map((parameter) =>
    parameter instanceof Placeholder ? values[parameter.name] : parameter,
  );
}
