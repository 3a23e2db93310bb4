import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import negotiate from '@fastify/accept-negotiator';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fromSources, ownFile } from '../../own-files.ts';
import { addPage } from '../add-page.ts';
import { headerLines, replaceFixedHeaders } from '../answers/fixed-headers.ts';
import { noteHeldBytes } from '../answers/held-bytes.ts';
import { BuiltFiles } from './built-files.ts';
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
  const files = new BuiltFiles(`${folder}assets`);
  const sendAsset = (request: FastifyRequest, reply: FastifyReply) => sendFile(request, reply, files);
  const isFile = async (name: string) => (await files.find(name)) !== undefined;
  addPage(app, `${consolePath}/assets/*`, sendAsset, isFile);
  const page = async (_request: unknown, reply: FastifyReply) => sendPage(reply, `${folder}index.html`);
  addPage(app, consolePath, page);
  addPage(app, `${consolePath}/*`, page, (path) => !path.startsWith('api/') && !path.startsWith('assets/'));
  // Without this route, the page would answer calls to unknown paths of the API.
  const noCall = (_request: unknown, reply: FastifyReply) => reply.callNotFound();
  addPage(app, `${consolePath}/api/*`, noCall, () => false);
}

async function sendFile(
  { params, headers }: FastifyRequest,
  reply: FastifyReply,
  files: BuiltFiles,
): Promise<FastifyReply> {
  const name = (params as { '*': string })['*'];
  const file = await files.find(name);
  // A browser that kept the answer for a missing file would not ask again after an upgrade.
  if (file === undefined) {
    reply.callNotFound();
    return reply;
  }
  replaceFixedHeaders(reply.raw, assetHeaderLines);
  reply.headers({ 'Content-Type': file.contentType, Vary: 'Accept-Encoding' });
  noteHeldBytes(reply.raw, 0);
  const isCompressed =
    file.compressed !== undefined && negotiate(headers['accept-encoding'] ?? '', ['gzip']) !== null;
  if (isCompressed) return reply.header('Content-Encoding', 'gzip').send(file.compressed);
  return reply.send(file.bytes);
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
