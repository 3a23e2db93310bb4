/** The address of this page, and with it that of its server. */
export interface ServerAddress {
  /** Scheme and host, and a prefix that a proxy removes from every path before the server sees it. */
  readonly origin: string;
  /** The folder of the page's files. */
  readonly docsFolder: URL;
  readonly documentUrl: URL;
}

/**
 * Finds the server from the address of this script, `<prefix>/docs/main.js`: what is left of the prefix without the
 * part that the server knows was removed by a proxy.
 */
export function findServer(): ServerAddress {
  const docsFolder = new URL('.', import.meta.url);
  const prefix = new URL('..', docsFolder).pathname.replace(/\/$/, '');
  const below = document.querySelector('meta[name="served-below"]')?.getAttribute('content') ?? '';
  const removed = prefix.endsWith(below) ? prefix.slice(0, prefix.length - below.length) : '';
  return {
    origin: location.origin + removed,
    docsFolder,
    documentUrl: new URL('../openapi.json', docsFolder),
  };
}
