import type { FastifyInstance, RouteOptions } from 'fastify';

interface KnownPath {
  /** The parts of a path like `/tenants/:tenant/users` or `/docs/*`. */
  readonly parts: readonly string[];
  readonly route: RouteOptions;
}

/** The paths of a listener with their methods, for the answers to other methods. */
export class KnownPaths {
  readonly #exact = new Map<string, RouteOptions[]>();
  /** Paths with parameters or a wildcard. */
  readonly #others: KnownPath[] = [];

  private constructor() {}

  /** Follows the routes that are added from now on. */
  static of(app: FastifyInstance): KnownPaths {
    const known = new KnownPaths();
    app.addHook('onRoute', (route) => known.#add(route));
    return known;
  }

  #add(route: RouteOptions): void {
    const { url } = route;
    if (url.includes(':') || url.includes('*')) this.#others.push({ parts: url.split('/'), route });
    else this.#exact.set(url, [...(this.#exact.get(url) ?? []), route]);
  }

  /**
   * Returns the methods of a path, none if it is unknown. Leaves out routes that serve the request's own method: they have
   * found nothing there.
   *
   * @param path as `routedPath` returns it
   */
  async methodsAt(path: string, requestMethod: string): Promise<readonly string[]> {
    const found = (this.#exact.get(path) ?? []).map((route) => ({ route, rest: '' }));
    const parts = path.split('/');
    for (const known of this.#others) {
      const rest = restOf(parts, known.parts);
      if (rest !== undefined) found.push({ route: known.route, rest });
    }
    const methods: string[] = [];
    for (const { route, rest } of found) {
      const served = [route.method].flat();
      if (served.includes(requestMethod)) continue;
      if (await (route.config?.isThere?.(rest) ?? true)) methods.push(...served);
    }
    // Only preflights have routes for OPTIONS.
    return methods.filter((method) => method !== 'OPTIONS');
  }
}

/**
 * Decodes a path as the router does before it looks for the route: reserved characters and `%` stay encoded.
 *
 * @param path can be decoded; the router refuses any other
 */
export function routedPath(path: string): string {
  return decodeURI(path.replaceAll('%25', '%2525'));
}

/** Returns what the wildcard of a known path stands for, or `undefined` if the path is another one. */
function restOf(parts: readonly string[], known: readonly string[]): string | undefined {
  for (const [index, expected] of known.entries()) {
    const part = parts[index];
    if (part === undefined) return undefined;
    if (expected === '*') return parts.slice(index).join('/');
    if (expected.startsWith(':') ? part === '' : part !== expected) return undefined;
  }
  return parts.length === known.length ? '' : undefined;
}
