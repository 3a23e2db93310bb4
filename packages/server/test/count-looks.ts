import type { Database } from '../src/database/database.ts';

/** Wraps a database, and counts how often somebody turns to its directory. */
export function countLooks() {
  const looks = { count: 0 };
  const wrapDatabase = (database: Database): Database =>
    new Proxy(database, {
      get(real, name) {
        if (name === 'directory') looks.count += 1;
        const value: unknown = Reflect.get(real, name, real);
        return typeof value === 'function' ? value.bind(real) : value;
      },
    });
  return { looks, wrapDatabase };
}
