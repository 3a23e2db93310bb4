import {
  compareLines,
  findMistake,
  findStringMistake,
  signature,
  signaturesEqual,
  splitTarget,
  usualPrefixes,
} from '@fieldroster/signing';
import { findCallTarget } from '../call/credentials.ts';
import { readBytes } from '../call/read-bytes.ts';
import { clockMistake, wrongUnit } from './clock-mistake.ts';
import { headerMistake } from './header-mistake.ts';
import type { ExplainedRequest, RequestFlags } from './read-request.ts';

/** A request, and the signature that the caller made or the string that it signed. */
export interface SignedFlags extends RequestFlags {
  readonly signature?: string;
  readonly stringToSign?: string;
  readonly appSecret?: string;
}

/** The result of examining a signature or a signed string. */
export interface Finding {
  readonly matches: boolean;
  readonly expectedString: string;
  /** The string that the caller signed, if it was given or follows from the signature. */
  readonly signedString: string | undefined;
  readonly mistake: { readonly name: string; readonly cause: string } | undefined;
}

/** Finds the mistake in a request, in its header first, then in what was signed and when. */
export async function examineRequest(
  flags: SignedFlags,
  explained: ExplainedRequest,
  nowSeconds: number,
): Promise<Finding> {
  const header = headerMistake(explained);
  const [expectedString = ''] = explained.stringsToSign;
  if (header !== undefined)
    return { matches: false, expectedString, signedString: undefined, mistake: header };
  const finding =
    flags.stringToSign === undefined ? bySignature(flags, explained) : await byString(flags, explained);
  const clock = clockMistake(flags.timestamp, nowSeconds);
  const isCause = clock !== undefined && (finding.matches || clock.name === wrongUnit);
  return isCause ? { ...finding, matches: false, mistake: clock } : withBasePath(finding, flags, explained);
}

/** A prefix that only the signed path has is more often the server's own than one that a proxy removed. */
function withBasePath(finding: Finding, { basePath }: SignedFlags, { request }: ExplainedRequest): Finding {
  const { mistake, signedString } = finding;
  if (basePath !== undefined || !mistake?.name.split('+').includes('path-prefix-removed')) return finding;
  const { path } = splitTarget(request.target);
  const prefix = usualPrefixes.find((each) => signedString?.includes(`\n${each}${path}`));
  if (prefix === undefined) return finding;
  const cause = `--url leaves out ${prefix}, which was signed: if it is the base path of the server, add --base-path ${prefix}, and what is wrong besides is named; otherwise, ${mistake.cause}`;
  return { ...finding, mistake: { ...mistake, cause } };
}

async function byString(flags: SignedFlags, explained: ExplainedRequest): Promise<Finding> {
  const { request, stringsToSign, origin } = explained;
  const signedString = unquoted(String(await readBytes('--string-to-sign', flags.stringToSign ?? '')));
  const expectedString = stringsToSign.find((text) => text === signedString) ?? stringsToSign[0] ?? '';
  if (signedString !== expectedString) {
    const mistake =
      findStringMistake({
        request,
        stringsToSign,
        signedString,
        origin: origin ?? originIn(signedString),
        removedPrefixes: usualPrefixes,
      }) ??
      besideLineFeed(explained, signedString) ??
      otherHeaders(signedString, stringsToSign);
    return { matches: false, expectedString, signedString, mistake };
  }
  if (flags.signature === undefined)
    return { matches: true, expectedString, signedString, mistake: undefined };
  const signed = bySignature(flags, explained);
  const { matches, mistake = matches ? undefined : otherSecret } = signed;
  return { ...signed, signedString, mistake };
}

const otherSecret = {
  name: 'other-secret',
  cause:
    'the strings are the same but the signatures differ, so another APPSECRET was used; sign with the one given here',
};

/**
 * Accepts a string to sign as JSON, as the server prints it. An expected string begins with a letter, never a
 * quote.
 */
function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    return JSON.parse(text) as string;
  } catch {
    return text;
  }
}

/** Returns the scheme and host that were signed, for a command line whose URL has none. */
function originIn(signedString: string): string | undefined {
  return /^https?:\/\/[^/?#\s]+/im.exec(signedString)?.[0];
}

/** Retries without the line feed that an editor adds to a file, which would hide another mistake. */
function besideLineFeed({ request, stringsToSign, origin }: ExplainedRequest, signedString: string) {
  const trimmed = signedString.replace(/\r?\n$/, '');
  const mistake =
    trimmed === signedString
      ? undefined
      : findStringMistake({
          request,
          stringsToSign,
          signedString: trimmed,
          origin,
          removedPrefixes: usualPrefixes,
        });
  if (mistake === undefined) return undefined;
  return { name: mistake.name, cause: `${mistake.cause}; besides, a line feed follows the last line` };
}

/** Recognises a mix of two calls: the headers of one and the string of the other. */
function otherHeaders(signedString: string, stringsToSign: readonly string[]) {
  const [differing] = stringsToSign.map((expectedString) => {
    const lines = compareLines(expectedString, signedString);
    return lines.filter(({ expected, actual }) => expected !== actual).map(({ name }) => name);
  });
  const known = differing?.every((name) => name === 'Timestamp' || name === 'Nonce');
  if (!differing || differing.length === 0 || !known) return undefined;
  return {
    name: differing.includes('Nonce') ? 'nonce-differs' : 'timestamp-differs',
    cause: `the ${differing.join(' and the ')} that was signed is not that of the headers; make each once, and use it for both`,
  };
}

function bySignature(flags: SignedFlags, explained: ExplainedRequest): Finding {
  const { request, stringsToSign, origin, appId, namesAppId } = explained;
  const { appSecret, appId: configured } = findCallTarget(flags, process.env, appId);
  // A secret given without an APPID belongs to the caller, even if another APPID is configured.
  const ownerOfSecret = flags.appSecret !== undefined && flags.appId === undefined ? appId : configured;
  const claimed = request.authorization?.split(':')[2] ?? '';
  const matching = stringsToSign.find((text) => signaturesEqual(signature(appSecret, text), claimed));
  const expectedString = matching ?? stringsToSign[0] ?? '';
  if (namesAppId && appId !== ownerOfSecret) {
    return { matches: false, expectedString, signedString: matching, mistake: otherApplication };
  }
  if (matching !== undefined)
    return { matches: true, expectedString, signedString: matching, mistake: undefined };
  const mistake = findMistake({
    request,
    stringsToSign,
    secrets: [appSecret],
    origin,
    removedPrefixes: usualPrefixes,
  });
  return { matches: false, expectedString, signedString: mistake?.signedString, mistake };
}

/** Repeats neither APPID, because the one in the header may be a secret. */
const otherApplication = {
  name: 'other-application',
  cause:
    'the Authorization header has a different APPID than the one configured here with the APPSECRET; use the two that were issued together',
};
