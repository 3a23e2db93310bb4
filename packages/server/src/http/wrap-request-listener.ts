import type { RequestListener, Server } from 'node:http';

/**
 * Replaces the server's request listener with one that may call it.
 *
 * @throws {TypeError} unless the server has exactly one
 */
export function wrapRequestListener(
  server: Server,
  wrap: (handle: RequestListener) => RequestListener,
): void {
  const [handle, ...others] = server.listeners('request');
  if (handle === undefined || others.length > 0)
    throw new TypeError(`the server has ${server.listenerCount('request')} request listeners instead of one`);
  server.removeListener('request', handle as RequestListener);
  server.on('request', wrap(handle as RequestListener));
}
