import { gunzipSync } from 'node:zlib';
import {
  expectedStringsToSign,
  formatAuthorization,
  parseAuthorization,
  type ReceivedRequest,
} from '@fieldroster/signing';
import { readBytes } from '../call/read-bytes.ts';
import { UsageError } from '../run-program.ts';

export interface RequestFlags {
  readonly method: string;
  readonly url: string;
  readonly basePath?: string;
  readonly data?: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly appId?: string;
}

/** A request as the caller's code made it, and what it should have signed. */
export interface ExplainedRequest {
  readonly request: ReceivedRequest & { readonly uncompressedBody: () => Uint8Array | undefined };
  readonly appId: string;
  /** Whether the header itself contains the APPID. */
  readonly namesAppId: boolean;
  /** The problem of a malformed Authorization header, as the end of a sentence. */
  readonly headerProblem: string | undefined;
  readonly origin: string | undefined;
  /** Every string that the request may have signed: `+` in the query has two readings, and so has an encoded name. */
  readonly stringsToSign: readonly string[];
}

const appIdDefault = 'appid';

/**
 * Reads the request from the flags.
 *
 * @param signature the caller's, or the whole Authorization header that carries it
 */
export async function readRequest(flags: RequestFlags, signature: string): Promise<ExplainedRequest> {
  const { origin, target } = splitUrl(flags.url, flags.basePath ?? '');
  const text = signature.replace(/^Authorization:\s*/i, '');
  const header = parseAuthorization(text);
  const appId = flags.appId || process.env.FIELDROSTER_APP_ID || appIdDefault;
  const headerProblem = 'problem' in header && isHeader(text) ? header.problem : undefined;
  const given = 'problem' in header ? { appId, signature: text } : header;
  const authorization =
    headerProblem === undefined ? formatAuthorization(given.appId, given.signature) : text;
  const parsed = parseAuthorization(authorization);
  if ('problem' in parsed && headerProblem === undefined) {
    throw new UsageError(`the Authorization header ${parsed.problem}`);
  }
  const body = flags.data === undefined ? new Uint8Array() : await readBytes('--data', flags.data);
  const request: ExplainedRequest['request'] = {
    method: flags.method,
    target,
    authorization,
    timestamp: flags.timestamp,
    nonce: flags.nonce,
    body,
    uncompressedBody: () => uncompressed(body),
  };
  const namesAppId = !('problem' in header);
  const stringsToSign = stringsOf(request);
  return { request, appId: given.appId, namesAppId, headerProblem, origin, stringsToSign };
}

/** Returns whether a string is meant as a whole header: it has a colon, or the scheme of another interface. */
function isHeader(text: string): boolean {
  return /:|^[A-Za-z][\w-]{2,}\s/.test(text);
}

const uncompressedBytesMax = 1024 * 1024;

/** Returns what was compressed by gzip; `undefined` if the bytes are not gzip, or exceed the bound. */
function uncompressed(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return undefined;
  try {
    return gunzipSync(bytes, { maxOutputLength: uncompressedBytesMax });
  } catch {
    return undefined;
  }
}

function stringsOf(request: ReceivedRequest): readonly string[] {
  const expected = expectedStringsToSign(request);
  if ('strings' in expected) return expected.strings;
  throw new UsageError(
    'query' in expected ? `--url: ${expected.query}` : `the ${expected.header} header ${expected.problem}`,
  );
}

/** Keeps the path as written, which the URL class would normalise. */
function splitUrl(url: string, basePath: string): { origin: string | undefined; target: string } {
  const [, origin, rest = ''] = /^(https?:\/\/[^/?#\s]+)?([!"$-~]*)$/i.exec(url) ?? [];
  const path = rest.startsWith('/') || origin === undefined ? rest : `/${rest}`;
  if (!path.startsWith('/')) {
    throw new UsageError(
      `--url is ${JSON.stringify(url)}; it must be like http://127.0.0.1:8080/user?username=ada%20b, percent-encoded as it is sent`,
    );
  }
  const base = basePath.replace(/\/+$/, '');
  return { origin, target: base === '' || path.startsWith(`${base}/`) ? path : base + path };
}
