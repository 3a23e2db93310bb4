import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { fromSources, ownFile } from '../../own-files.ts';
import { headerLines, replaceFixedHeaders } from '../answers/fixed-headers.ts';
import { consolePath } from './console-routes.ts';

/** In a checkout the built console is in its own package; the published package contains a copy. */
const builtConsole = fileURLToPath(ownFile(fromSources ? '../../console/dist/' : 'http/console/built/'));

/** Stands for the nonce in the built page. */
const noncePlaceholder = '__CSP_NONCE__';

const nonceBytes = 16;

/** The names of the built files change with their contents. */
const assetHeaderLines = headerLines({
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
});

/**
 * Adds the console's page and its files. Every path below `/console` that names no file gets the same page.
 *
 * @param folder contains the built console; its name ends in a slash
 */
export function addConsoleFiles(app: FastifyInstance, folder = builtConsole): void {
  app.register(async (scope) => {
    await scope.register(fastifyStatic, {
      root: `${folder}assets`,
      prefix: `${consolePath}/assets/`,
      cacheControl: false,
      preCompressed: true,
      // Runs only for files that exist. A browser that kept the answer for a missing file would not ask again after an
      // upgrade.
      setHeaders: (reply) => replaceFixedHeaders(reply.raw, assetHeaderLines),
    });
  });
  const page = async (_request: unknown, reply: FastifyReply) => sendPage(reply, `${folder}index.html`);
  app.get(consolePath, page);
  app.get(`${consolePath}/*`, page);
  // Without this route, the page would answer calls to unknown paths of the API.
  app.all(`${consolePath}/api/*`, (_request, reply) => reply.callNotFound());
}

async function sendPage(reply: FastifyReply, file: string): Promise<FastifyReply> {
  if (!existsSync(file)) {
    reply.code(404).type('text/plain; charset=utf-8');
    return reply.send('The console is not built. In a checkout, run: npm run build:console\n');
  }
  const nonce = randomBytes(nonceBytes).toString('base64');
  const page = (await readFile(file, 'utf8')).replaceAll(noncePlaceholder, nonce);
  replaceFixedHeaders(reply.raw, pageHeaderLines(nonce));
  return reply.type('text/html; charset=utf-8').send(page);
}

function pageHeaderLines(nonce: string): string {
  return headerLines({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "connect-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
  });
}
