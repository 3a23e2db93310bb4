import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../../config.ts';
import { addPage } from '../add-page.ts';
import { headerLines, replaceFixedHeaders } from '../answers/fixed-headers.ts';
import { noteHeldBytes } from '../answers/held-bytes.ts';
import { readOpenApiDocument } from './openapi-document.ts';
import { readPageFiles } from './page-files.ts';

/**
 * The page handles secrets: it loads scripts and styles from this server only, sends requests to it only, cannot be
 * framed, and never turns text into markup.
 */
const pageHeaderLines = headerLines({
  'Cache-Control': 'no-store',
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
});

/**
 * Adds `/docs`, the interactive reference, and `/openapi.json`, the document behind it, at the root and below the base
 * path: a proxy may pass only the latter on. Neither needs a signature. Both are read on first request, so they cost
 * nothing where nobody asks for them.
 */
export function addReferenceRoutes(
  app: FastifyInstance,
  { docs, basePath }: Pick<Settings, 'docs' | 'basePath'>,
): void {
  if (!docs) return;
  const pageFiles = kept(readPageFiles);
  const document = kept(() => readOpenApiDocument(basePath));
  const servePageBelow = (below: string) => async (request: FastifyRequest, reply: FastifyReply) => {
    const path = (request.params as { '*'?: string })['*'] ?? '';
    const file = (await pageFiles()).get(path);
    if (file === undefined) return reply.callNotFound();
    replaceFixedHeaders(reply.raw, pageHeaderLines);
    const text = path === '' ? placed(file.text, below, request.raw.url ?? '') : file.text;
    return reply.type(file.contentType).send(text);
  };
  const serveDocument = async (_request: FastifyRequest, reply: FastifyReply) => {
    const bytes = await document();
    if (bytes === undefined) return reply.callNotFound();
    replaceFixedHeaders(reply.raw, pageHeaderLines);
    noteHeldBytes(reply.raw, 0);
    return reply.type('application/json; charset=utf-8').send(bytes);
  };
  // The router decodes the rest of the path for GET.
  const isPageFile = async (path: string) => (await pageFiles()).has(decodeURIComponent(path));
  for (const below of new Set(['', basePath])) {
    addPage(app, `${below}/docs`, servePageBelow(below));
    addPage(app, `${below}/docs/*`, servePageBelow(below), isPageFile);
    addPage(app, `${below}/openapi.json`, serveDocument, async () => (await document()) !== undefined);
  }
}

/**
 * Makes the addresses of the page's files relative to the page, so that they work below a prefix that a proxy removes,
 * and writes into the page the path below which this server got the request.
 */
function placed(page: string, below: string, url: string): string {
  const [path = ''] = url.split('?');
  const [docs, root] = path.endsWith('/') ? ['', '../'] : ['docs/', ''];
  return page.replaceAll('%docs%', docs).replaceAll('%root%', root).replaceAll('%below%', below);
}

/**
 * Returns a function that does the work once, on its first call. A failure is not kept, so the next call tries again.
 */
function kept<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let result: Promise<Value> | undefined;
  return () => {
    result ??= work().catch((error) => {
      result = undefined;
      throw error;
    });
    return result;
  };
}
