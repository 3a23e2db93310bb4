import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The Content-Type header as received. */
    receivedContentType: string | undefined;
  }
}

/** Leaves every body unread until a handler asks for it. */
export function passBodiesOn(app: FastifyInstance): void {
  app.decorateRequest('receivedContentType', undefined);
  // The signature covers the body of every method, so a GET's body is read too.
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.removeAllContentTypeParsers();
  // Passes the stream on unread: the headers are checked before anything is read.
  app.addContentTypeParser('*', (_request: FastifyRequest, payload: IncomingMessage, done) =>
    done(null, payload),
  );
}

/**
 * Hides the Content-Type header from Fastify, which refuses an unsupported one before anything else. Here the signature
 * is checked first, and a GET with a content type and no body is accepted. Call it before the body is read.
 */
export function hideContentType(request: FastifyRequest): void {
  const { headers } = request.raw;
  if (headers['content-type'] === undefined) return;
  request.receivedContentType = headers['content-type'];
  delete headers['content-type'];
}
