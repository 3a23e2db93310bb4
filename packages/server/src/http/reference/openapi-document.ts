import { readFile } from 'node:fs/promises';
import { parsePrintableJson } from '../../json/exact-json.ts';
import { fromSources, ownFile } from '../../own-files.ts';

/** In a checkout the document is among the docs; the published package contains a copy. */
const location = ownFile(fromSources ? '../../../docs/openapi.json' : 'openapi.json');

/**
 * Reads the OpenAPI document and sets this server in it, so that tools that load it from here send requests here.
 *
 * @returns `undefined` when the document is not installed
 */
export async function readOpenApiDocument(basePath: string): Promise<Buffer | undefined> {
  const text = await readIfThere(location);
  if (text === undefined) return undefined;
  const servers = [{ url: basePath === '' ? '/' : basePath, description: 'This server' }];
  // Node.js copies a text for each answer that its client has not read yet, but not bytes.
  return Buffer.from(JSON.stringify({ ...(parsePrintableJson(text) as object), servers }));
}

async function readIfThere(url: URL): Promise<string | undefined> {
  try {
    return await readFile(url, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
