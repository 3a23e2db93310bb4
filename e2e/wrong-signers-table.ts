import { createHash, createHmac } from 'node:crypto';

/** Every target of the table is below this path. */
export const basePath = '/api/v1';

/** The inputs of an integrator's signing code. */
export interface SignerInput {
  readonly method: string;
  readonly target: string;
  readonly body: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly secret: string;
  readonly appId: string;
}

/** The request that wrong code makes of its input. */
export interface WrongRequest {
  readonly signature: string;
  /** The signed text, for `explain --string-to-sign`; left out when the integrator would not have it. */
  readonly text?: string;
  /** Sent instead of `cbs:<APPID>:<Signature>`. */
  readonly authorization?: string;
  /** Sent instead of the timestamp of the input. */
  readonly timestamp?: string;
}

/** A way to sign wrongly. None of them uses the signing library. */
export interface WrongSigner {
  readonly label: string;
  readonly method: string;
  readonly target: string;
  readonly body?: string;
  /** Part of the sentence that names the mistake. */
  readonly cause: RegExp;
  readonly namedBy: 'both' | 'server' | 'explain' | 'neither';
  readonly wrong: (input: SignerInput) => WrongRequest;
}

type Row = Pick<WrongSigner, 'label' | 'cause' | 'wrong'> & Partial<WrongSigner>;

const user = `${basePath}/user`;
const create = { method: 'POST', target: user, body: '{"username":"lî.wei","password":"Gr33n-Tea"}' };
const query = { method: 'GET', target: `${user}?username=li%20wei%2Bplus&extra=1` };
const decoded = `${user}?extra=1&username=li wei+plus`;
const chinese = { method: 'GET', target: `${user}?username=%E6%9D%8E%E5%A8%9C` };
const accented = { method: 'GET', target: `${user}?username=Jos%C3%A9` };
const repeated = { method: 'GET', target: `${user}?user_id=1&extra=1&username=&user_id=2` };

const hmac = (key: string | Buffer, message: string | Buffer) =>
  createHmac('sha256', key).update(message).digest();
const md5 = (body: string | Buffer) => createHash('md5').update(body).digest();
const lines = (...parts: readonly string[]) => parts.join('\n');

/** Signs a string with the right key. */
const signs =
  (makeText: (input: SignerInput) => string): WrongSigner['wrong'] =>
  (input) => {
    const text = makeText(input);
    return { text, signature: hmac(input.secret, text).toString('base64') };
  };

/** Signs the right text in another way. */
const signsRight =
  (sign: (input: SignerInput, text: string) => string): WrongSigner['wrong'] =>
  (input) => {
    const text = right(input);
    return { text, signature: sign(input, text) };
  };

const withKey = (makeKey: (input: SignerInput) => string | Buffer) =>
  signsRight((input, text) => hmac(makeKey(input), text).toString('base64'));

/** Changes what is sent around a right signature. */
const sends =
  (
    change: (input: SignerInput, signature: string) => Omit<WrongRequest, 'signature'>,
  ): WrongSigner['wrong'] =>
  (input) => {
    const signature = hmac(input.secret, right(input)).toString('base64');
    return { signature, text: right(input), ...change(input, signature) };
  };

function right(input: SignerInput): string {
  return input.method === 'POST'
    ? post(input, md5(input.body).toString('base64'))
    : get(input, resourceOf(input));
}

/** Decodes and sorts, for the right parts of the table's targets. */
function resourceOf({ target }: SignerInput): string {
  const [path, text] = target.split('?');
  if (text === undefined) return target;
  const parameters = text.split('&').map((piece) => decodeURIComponent(piece));
  return `${path}?${parameters.toSorted((a, b) => order(nameOf(a), nameOf(b))).join('&')}`;
}

const nameOf = (parameter: string) => parameter.split('=')[0] ?? '';
const order = (a: string, b: string) => (a < b ? -1 : Number(a > b));

function post({ timestamp, nonce, target }: SignerInput, digest: string, path = target): string {
  return lines('POST', digest, timestamp, nonce, path);
}

function get({ timestamp, nonce }: SignerInput, resource: string): string {
  return lines('GET', timestamp, nonce, resource);
}

/** 李娜 in GBK. */
const gbkName = Buffer.from('c0eec4c8', 'hex');

const digestOf = (body: string | Buffer) => md5(body).toString('base64');
const python = '{"username": "l\\u00ee.wei", "password": "Gr33n-Tea"}';

const bodyRows: readonly Row[] = [
  {
    label: 'MD5 as hexadecimal digits',
    cause: /Content-MD5 was signed as hexadecimal/,
    wrong: signs((input) => post(input, md5(input.body).toString('hex'))),
  },
  {
    label: 'MD5 as Base64 of hexadecimal digits',
    cause: /Content-MD5 was signed as the Base64 of hexadecimal/,
    wrong: signs((input) => post(input, btoa(md5(input.body).toString('hex')))),
  },
  {
    label: 'MD5 with the line feed of encode64 in Ruby',
    cause: /with the line break that some encoders add/,
    wrong: signs((input) => post(input, `${digestOf(input.body)}\n`)),
  },
  {
    label: 'MD5 with the line break of encoders for e-mail',
    cause: /with the line break that some encoders add/,
    wrong: signs((input) => post(input, `${digestOf(input.body)}\r\n`)),
  },
  {
    label: 'MD5 without padding',
    cause: /without the "==" at its end/,
    wrong: signs((input) => post(input, digestOf(input.body).slice(0, 22))),
  },
  {
    label: 'no MD5 for POST',
    cause: /Content-MD5 was left out/,
    wrong: signs(({ timestamp, nonce, target }) => lines('POST', timestamp, nonce, target)),
  },
  {
    label: 'an empty line for the MD5',
    cause: /Content-MD5 was left out/,
    wrong: signs((input) => post(input, '')),
  },
  {
    label: 'MD5 of nothing for POST',
    cause: /Content-MD5 is that of an empty body/,
    wrong: signs((input) => post(input, digestOf(''))),
  },
  {
    ...query,
    label: 'MD5 of nothing for GET',
    cause: /a line for Content-MD5 was signed although/,
    wrong: signs(({ timestamp, nonce }) => lines('GET', digestOf(''), timestamp, nonce, decoded)),
  },
  {
    label: 'MD5 of {} without a body',
    body: '',
    cause: /Content-MD5 is that of \{\}/,
    wrong: signs((input) => post(input, digestOf('{}'))),
  },
  {
    label: 'SHA-256 instead of MD5',
    cause: /SHA-256 digest of the body/,
    wrong: signs((input) => post(input, createHash('sha256').update(input.body).digest('base64'))),
  },
  {
    label: 'the body instead of its MD5',
    cause: /the body itself was signed/,
    wrong: signs((input) => post(input, input.body)),
  },
  {
    label: 'the body as Python would serialize it',
    namedBy: 'explain',
    cause: /the same JSON written differently/,
    wrong: signs((input) => post(input, digestOf(python))),
  },
  {
    label: 'the body with the line feed of echo',
    cause: /signed with a line feed at its end/,
    wrong: signs((input) => post(input, digestOf(`${input.body}\n`))),
  },
  {
    label: 'the text of $(cat file), and the file sent with its last line feed',
    body: `${create.body}\n`,
    cause: /signed with a line feed at its end and sent without it, or the other way round/,
    wrong: signs((input) => post(input, digestOf(create.body))),
  },
  {
    label: 'the body in GBK',
    body: '{"username":"李娜"}',
    cause: /Content-MD5 is that of the body in GBK/,
    wrong: signs((input) =>
      post(input, digestOf(Buffer.concat([Buffer.from('{"username":"'), gbkName, Buffer.from('"}')]))),
    ),
  },
  {
    label: 'the body in Latin-1',
    cause: /Content-MD5 is that of the body in ISO-8859-1/,
    wrong: signs((input) => post(input, digestOf(Buffer.from(input.body, 'latin1')))),
  },
  {
    label: 'the body before a field was added',
    namedBy: 'neither',
    cause: /before a field/,
    wrong: signs((input) => post(input, digestOf('{"username":"lî.wei"}'))),
  },
];

const inCharset = (encode: (text: string) => Buffer) =>
  signsRight((input, text) => hmac(input.secret, encode(text)).toString('base64'));

const queryRows: readonly Row[] = [
  {
    label: 'values left URL-encoded',
    cause: /query values were signed URL-encoded/,
    wrong: signs((input) => get(input, `${user}?extra=1&username=li%20wei%2Bplus`)),
  },
  {
    label: 'values encoded as a form',
    cause: /query values were signed URL-encoded/,
    wrong: signs((input) => get(input, `${user}?extra=1&username=li+wei%2Bplus`)),
  },
  {
    label: 'unsorted parameters',
    cause: /parameters were not sorted/,
    wrong: signs((input) => get(input, `${user}?username=li wei+plus&extra=1`)),
  },
  {
    label: 'the query as sent',
    cause: /signed as it stands in the URL/,
    wrong: signs((input) => get(input, input.target)),
  },
  {
    label: 'a plus sign decoded as a space',
    cause: /plus sign and a space were mixed up/,
    wrong: signs((input) => get(input, `${user}?extra=1&username=li wei plus`)),
  },
  {
    label: 'no query',
    cause: /the query was left out/,
    wrong: signs((input) => get(input, user)),
  },
  {
    label: 'parameters in descending order',
    target: `${user}?extra=1&username=li&b=2`,
    cause: /sorted in descending order/,
    wrong: signs((input) => get(input, `${user}?username=li&extra=1&b=2`)),
  },
  {
    label: 'parameters sorted as whole texts',
    target: `${user}?username=2&username-x=1`,
    cause: /sorted as whole name=value texts/,
    wrong: signs((input) => get(input, `${user}?username-x=1&username=2`)),
  },
  {
    label: 'values decoded twice',
    target: `${user}?username=100%2525`,
    cause: /or decoded twice for the signature/,
    wrong: signs((input) => get(input, `${user}?username=100%`)),
  },
  {
    label: 'values encoded twice, as by quote() before requests encodes them',
    target: `${user}?username=%25E6%259D%258E%25E5%25A8%259C`,
    cause: /values were encoded twice for the URL/,
    wrong: signs((input) => get(input, `${user}?username=李娜`)),
  },
  {
    ...repeated,
    label: 'an empty parameter left out',
    cause: /parameter without a value was left out/,
    wrong: signs((input) => get(input, `${user}?extra=1&user_id=1&user_id=2`)),
  },
  {
    ...repeated,
    label: 'an empty parameter without "="',
    cause: /parameter without a value was left out or signed without/,
    wrong: signs((input) => get(input, `${user}?extra=1&user_id=1&user_id=2&username`)),
  },
  {
    ...repeated,
    label: 'a repeated parameter signed once',
    cause: /repeated parameter was signed once/,
    wrong: signs((input) => get(input, `${user}?extra=1&user_id=1&username=`)),
  },
  {
    label: 'an ampersand after the last parameter',
    cause: /"&" was signed after the last parameter/,
    wrong: signs((input) => get(input, `${decoded}&`)),
  },
  {
    label: 'no question mark',
    cause: /the "\?" between the path and the query was left out/,
    wrong: signs((input) => get(input, decoded.replace('?', ''))),
  },
  {
    label: 'an ampersand in place of the question mark',
    cause: /the "\?" between the path and the query was left out or replaced/,
    wrong: signs((input) => get(input, decoded.replace('?', '&'))),
  },
  {
    label: 'the query on a line of its own',
    cause: /the "\?" between the path and the query was left out or replaced/,
    wrong: signs((input) => get(input, decoded.replace('?', '\n'))),
  },
  {
    target: user,
    label: 'a question mark without a query',
    cause: /"\?" was signed although there is no query/,
    wrong: signs((input) => get(input, `${user}?`)),
  },
  {
    ...chinese,
    label: 'the string in GBK, as Java on a Chinese Windows',
    cause: /string to sign was encoded in GBK/,
    wrong: inCharset((text) => Buffer.concat([Buffer.from(text.slice(0, -2)), gbkName])),
  },
  {
    ...accented,
    label: 'the string in Latin-1',
    cause: /string to sign was encoded in ISO-8859-1/,
    wrong: inCharset((text) => Buffer.from(text, 'latin1')),
  },
  {
    ...chinese,
    label: 'the string in UTF-16, as .NET Encoding.Unicode',
    cause: /string to sign was encoded in UTF-16/,
    wrong: inCharset((text) => Buffer.from(text, 'utf16le')),
  },
  {
    label: 'a string in ASCII in UTF-16',
    cause: /string to sign was encoded in UTF-16 \(little-endian\)/,
    wrong: inCharset((text) => Buffer.from(text, 'utf16le')),
  },
].map((row) => ({ ...query, ...row }));

const layoutRows: readonly Row[] = [
  {
    label: 'a trailing line feed',
    cause: /a line feed follows the last line/,
    wrong: signs((input) => `${right(input)}\n`),
  },
  {
    label: 'CR LF between the lines',
    cause: /not separated by one line feed/,
    wrong: signs((input) => right(input).replaceAll('\n', '\r\n')),
  },
  {
    label: 'ampersands between the lines',
    cause: /not separated by one line feed/,
    wrong: signs((input) => right(input).replaceAll('\n', '&')),
  },
  {
    label: 'the string as JSON writes it',
    cause: /signed in quotation marks/,
    wrong: signs((input) => JSON.stringify(right(input))),
  },
  {
    label: 'the method in lower case',
    cause: /not signed in upper case/,
    wrong: signs((input) => right(input).replace('POST', 'post')),
  },
  {
    label: 'GET, which HttpURLConnection of Java sent as POST',
    cause: /the method that was signed is not the one that was sent/,
    wrong: signs((input) => right(input).replace(`POST\n${digestOf(input.body)}\n`, 'GET\n')),
  },
  {
    label: 'the method left out',
    cause: /the method was left out/,
    wrong: signs((input) => right(input).replace('POST\n', '')),
  },
  {
    label: 'the path without its base path',
    cause: /signed without its base path/,
    wrong: signs((input) => post(input, digestOf(input.body), '/user')),
  },
  {
    label: 'the path with scheme and host',
    cause: /the scheme or the host was signed/,
    wrong: signs((input) => post(input, digestOf(input.body), `https://127.0.0.1${user}`)),
    namedBy: 'neither',
  },
  {
    label: 'the path with another slash at its end',
    cause: /another slash at its start or end/,
    wrong: signs((input) => post(input, digestOf(input.body), `${user}/`)),
  },
  {
    ...query,
    label: 'the nonce before the timestamp',
    cause: /lines are in another order/,
    wrong: signs(({ timestamp, nonce }) => lines('GET', nonce, timestamp, decoded)),
  },
  {
    label: 'the resource before the timestamp',
    cause: /lines are in another order/,
    wrong: signs(({ timestamp, nonce, body, target }) =>
      lines('POST', digestOf(body), target, timestamp, nonce),
    ),
  },
  {
    label: 'the MD5 as the last line',
    cause: /lines are in another order/,
    wrong: signs(({ timestamp, nonce, body, target }) =>
      lines('POST', timestamp, nonce, target, digestOf(body)),
    ),
  },
  {
    label: 'the resource left out',
    cause: /path and the query were left out/,
    wrong: signs(({ timestamp, nonce, body }) => lines('POST', digestOf(body), timestamp, nonce)),
  },
  {
    label: 'the Content-Type as a line',
    cause: /the Content-Type was signed/,
    wrong: signs(({ timestamp, nonce, body, target }) =>
      lines('POST', digestOf(body), 'application/json', timestamp, nonce, target),
    ),
  },
  {
    ...query,
    label: 'the nonce left out',
    cause: /the Nonce was left out/,
    wrong: signs(({ timestamp }) => lines('GET', timestamp, decoded)),
  },
  {
    ...query,
    label: 'the timestamp left out',
    cause: /the Timestamp was left out/,
    wrong: signs(({ nonce }) => lines('GET', nonce, decoded)),
  },
  {
    ...query,
    label: 'milliseconds in the text, seconds in the header',
    cause: /Timestamp was signed in milliseconds/,
    wrong: signs(({ timestamp, nonce }) => lines('GET', `${timestamp}734`, nonce, decoded)),
  },
  {
    ...query,
    label: 'the clock read twice',
    cause: /another Timestamp was signed|Timestamp that was signed is not that of the headers/,
    wrong: signs(({ timestamp, nonce }) => lines('GET', String(Number(timestamp) + 1), nonce, decoded)),
  },
  {
    ...query,
    label: 'a nonce generated twice',
    namedBy: 'explain',
    cause: /the Nonce that was signed is not that of the headers/,
    wrong: signs(({ timestamp }) => lines('GET', timestamp, 'another-nonce', decoded)),
  },
];

const keyRows: readonly Row[] = [
  {
    label: 'the secret with a line feed',
    cause: /secret was used with white space, a line feed or/,
    wrong: withKey(({ secret }) => `${secret}\n`),
  },
  {
    label: 'the secret in quotation marks',
    cause: /quotation marks around it/,
    wrong: withKey(({ secret }) => `"${secret}"`),
  },
  {
    label: 'the secret decoded from its digits',
    cause: /secret was decoded from hexadecimal digits/,
    wrong: withKey(({ secret }) => Buffer.from(secret, 'hex')),
  },
  {
    label: 'the secret in upper case',
    cause: /secret was turned into upper or lower case/,
    wrong: withKey(({ secret }) => secret.toUpperCase()),
  },
  {
    label: 'the secret with an ampersand',
    cause: /"&" or the APPID was added to the secret/,
    wrong: withKey(({ secret }) => `${secret}&`),
  },
  {
    label: 'an empty secret',
    cause: /with an empty secret/,
    wrong: withKey(() => ''),
  },
  {
    label: 'the APPID as the secret',
    cause: /APPID was used as the secret/,
    wrong: withKey(({ appId }) => appId),
  },
  {
    label: 'another secret',
    cause: /you signed with another APPSECRET|another APPSECRET was used/,
    wrong: withKey(() => 'f0reign'),
  },
  {
    label: 'key and text swapped',
    cause: /key and text are swapped/,
    wrong: signsRight(({ secret }, text) => hmac(text, secret).toString('base64')),
  },
  {
    label: 'a plain SHA-256',
    cause: /plain SHA-256/,
    wrong: signsRight(({ secret }, text) =>
      createHash('sha256')
        .update(secret + text)
        .digest('base64'),
    ),
  },
];

const formRows: readonly Row[] = [
  {
    label: 'the signature as hexadecimal digits',
    cause: /signature is written as hexadecimal/,
    wrong: signsRight(({ secret }, text) => hmac(secret, text).toString('hex')),
  },
  {
    label: 'the signature as Base64 of hexadecimal digits',
    cause: /signature is the Base64 of hexadecimal/,
    wrong: signsRight(({ secret }, text) => btoa(hmac(secret, text).toString('hex'))),
  },
  {
    label: 'the signature in the URL alphabet',
    cause: /in the URL alphabet of Base64/,
    wrong: signsRight(({ secret }, text) => hmac(secret, text).toString('base64url')),
  },
  {
    label: 'HMAC-SHA1',
    cause: /not a SHA-256 digest/,
    wrong: signsRight(({ secret }, text) => createHmac('sha1', secret).update(text).digest('base64')),
  },
];

const headerRows: readonly Row[] = [
  {
    label: 'the signature before the APPID',
    cause: /cbs:<APPID>:<Signature>/,
    wrong: sends(({ appId }, signature) => ({ authorization: `cbs:${signature}:${appId}` })),
  },
  {
    label: 'CBS in upper case',
    cause: /must start with cbs: in lower case/,
    wrong: sends(({ appId }, signature) => ({ authorization: `CBS:${appId}:${signature}` })),
  },
  {
    label: 'the scheme Bearer',
    cause: /not with the scheme Bearer/,
    wrong: sends((_, signature) => ({ authorization: `Bearer ${signature}` })),
  },
  {
    label: 'the scheme of AWS',
    cause: /not with the scheme AWS/,
    wrong: sends(({ appId }, signature) => ({ authorization: `AWS ${appId}:${signature}` })),
  },
  {
    ...query,
    label: 'milliseconds in the header',
    cause: /milliseconds/,
    wrong: (input) => {
      const timestamp = `${input.timestamp}123`;
      const text = right({ ...input, timestamp });
      return { text, timestamp, signature: hmac(input.secret, text).toString('base64') };
    },
  },
  {
    ...query,
    label: 'a clock that is eight hours ahead',
    cause: /8 hours.* time zone/,
    wrong: (input) => {
      const timestamp = String(Number(input.timestamp) + 8 * 3600);
      const text = right({ ...input, timestamp });
      return { text, timestamp, signature: hmac(input.secret, text).toString('base64') };
    },
  },
];

const twoMistakes = (text: RegExp, key: RegExp) =>
  new RegExp(`${text.source}.*besides, .*${key.source}|${key.source}.*besides, .*${text.source}`);

/** Two mistakes at once. */
const pairRows: readonly Row[] = [
  {
    label: 'echo for the body and for the string to sign',
    cause: twoMistakes(/a line feed at its end/, /a line feed follows the last line/),
    wrong: signs((input) => `${post(input, digestOf(`${input.body}\n`))}\n`),
  },
  {
    label: 'MD5 as hexadecimal digits, and a trailing line feed',
    cause: twoMistakes(/Content-MD5 was signed as hexadecimal/, /a line feed follows the last line/),
    wrong: signs((input) => `${post(input, md5(input.body).toString('hex'))}\n`),
  },
  {
    label: 'no MD5, and no base path',
    cause: twoMistakes(/Content-MD5 was left out/, /without its base path/),
    wrong: signs(({ timestamp, nonce }) => lines('POST', timestamp, nonce, '/user')),
  },
  {
    ...query,
    label: 'values left URL-encoded, and milliseconds',
    cause: twoMistakes(/query values were signed URL-encoded/, /signed in milliseconds/),
    wrong: signs(({ timestamp, nonce }) =>
      lines('GET', `${timestamp}000`, nonce, `${user}?extra=1&username=li%20wei%2Bplus`),
    ),
  },
  {
    ...query,
    label: 'unsorted parameters, and the signature as hexadecimal digits',
    cause: twoMistakes(/parameters were not sorted/, /signature is written as hexadecimal/),
    wrong: (input) => {
      const text = get(input, `${user}?username=li wei+plus&extra=1`);
      return { signature: hmac(input.secret, text).toString('hex') };
    },
  },
];

/** Ways to sign wrongly, or to send a right signature wrongly. */
export const wrongSigners: readonly WrongSigner[] = [
  ...bodyRows,
  ...queryRows,
  ...layoutRows,
  ...keyRows,
  ...formRows,
  ...headerRows,
  ...pairRows,
].map((row) => ({
  ...create,
  namedBy: 'both',
  ...row,
  ...((row.method ?? 'POST') === 'GET' && { body: '' }),
}));
