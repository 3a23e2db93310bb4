import type { FastifyInstance, RouteHandlerMethod } from 'fastify';

/**
 * Returns whether there is something at what the wildcard of a path stands for. Reserved characters, such as slashes, are
 * still encoded if the request encodes them.
 */
type IsThere = (rest: string) => boolean | Promise<boolean>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Everything is there when left out. */
    isThere?: IsThere;
  }
}

/**
 * Adds something to read that is not an operation: a page, a file, or the state of the server. It answers GET and, without
 * the body, HEAD.
 *
 * @param url may end in a wildcard
 * @param isThere says for which paths of the wildcard other methods are wrong; any other path is unknown
 */
export function addPage(
  app: FastifyInstance,
  url: string,
  handler: RouteHandlerMethod,
  isThere: IsThere = () => true,
): void {
  app.route({ method: ['GET', 'HEAD'], url, config: { isThere }, handler });
}
