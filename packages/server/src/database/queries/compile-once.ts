import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { Schema } from './schema.ts';
import type { Engine, Session } from './session.ts';

/** Stands for a value while a query is compiled. */
export class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

type Values = Readonly<Record<string, unknown>>;

const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });

/**
 * Builds a query the first time it runs on an engine and only fills in its values from then on. Building
 * costs several times what running does, which counts for the queries that every request makes.
 *
 * @param build describes the query; the properties of its second argument stand for the values to come
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

/** Builds a query in whose parameters each property of `value` is a placeholder of its name. */
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
