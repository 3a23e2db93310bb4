/** The longest text of a request that an expression is applied to, and one that costs it the most attempts. */
interface WorstCase {
  readonly charactersMax: number;
  readonly worst: (characters: number) => string;
}

/** The size limit of the request line and all headers together. */
const header = 16 * 1024;
const smallBody = 16 * 1024;
/** The most bytes that Node.js reads from a connection at once. */
const packet = 64 * 1024;
const passwordHash = 512;
const searchText = 100;
const lineOfText = 255;

/** Returns a string that matches as long as possible, and then fails. */
function almost(start: string, repeated: string, end: string) {
  return (characters: number) =>
    (start + repeated.repeat(Math.ceil(characters / repeated.length))).slice(0, characters - end.length) +
    end;
}

function worst(charactersMax: number, start: string, repeated: string, end: string): WorstCase {
  return { charactersMax, worst: almost(start, repeated, end) };
}

const server = 'packages/server/src';
const signing = 'packages/signing/src';
const hashes = `${server}/passwords/hashes`;

/** Each expression that is applied to text of a request. */
export const requestExpressions: Readonly<Record<string, WorstCase>> = {
  [`${server}/json/exact-json.ts /(?<![\\d.])(?:\\d\\.?){16}|\\d[eE]-\\d{3}/`]: worst(
    smallBody,
    '',
    '1.2.3.4.5.6.7.8.9.0.1.2.3.4.5.,',
    '.',
  ),
  // Applied only to JSON, in which every string ends.
  [`${server}/json/exact-json.ts /"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"|-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?/g`]:
    worst(smallBody, '[', '"\\\\\\"",-1.5e+9,', '1]'),
  [`${server}/json/exact-json.ts /^-?\\d{1,19}$/`]: worst(smallBody, '-', '1', '.'),
  [`${server}/http/received-call.ts /[\\u0080-\\u00ff]/`]: worst(header, '', 'a', 'z'),
  // Lines of the log repeat what callers claim.
  [`${server}/logging/logger.ts /[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]/gu`]: worst(header, '', 'a', 'z'),
  [`${server}/logging/readable-log-line.ts /[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]/gu`]: worst(
    header,
    '',
    'a',
    'z',
  ),
  [`${server}/logging/readable-log-line.ts /^[^\\s"]+$/`]: worst(header, '', 'a', '"'),
  [`${server}/http/client-address.ts /\\/$/`]: worst(header, '', '/', 'a'),
  [`${server}/http/client-address.ts /^(?:\\/[\\w.~-]{1,100}){1,8}$/`]: worst(header, '', '/a', '/'),
  [`${server}/pipeline/steps/input/odd-body.ts /^[[{]\\s*[{]?'/`]: worst(256, '[', ' ', '{'),
  [`${server}/pipeline/steps/input/odd-body.ts /^[\\w.%[\\]-]{1,64}=/`]: worst(256, '', 'a', '-'),
  [`${server}/time/read-date.ts /^(20\\d\\d)(?:(\\d\\d)(\\d\\d)|([-/.])(\\d\\d?)\\4(\\d\\d?))(?:[T ]?(\\d\\d):?(\\d\\d)(?::?(\\d\\d)(?:\\.?(\\d{3})\\d*)?)?(Z|[+ -]\\d\\d:?\\d\\d)?)?$/`]:
    worst(header, '20261130184512', '1', '.'),
  [`${signing}/mistakes/form-bodies.ts /[\\s{"]/`]: worst(smallBody, '', 'a', 'z'),
  [`${signing}/mistakes/form-bodies.ts /^(?:0|-?[1-9]\\d{0,14})$/`]: worst(smallBody, '-', '1', '.'),
  [`${server}/pipeline/failures/explain-refusal.ts /^(\\d{4})(\\d\\d)(?:\\d\\d){1,4}$/`]: worst(
    20,
    '',
    '1',
    'a',
  ),
  [`${server}/pipeline/steps/input/similar-name.ts /[_-]/g`]: worst(64, '', '_', '_'),
  [`${server}/pipeline/steps/input/parse-input.ts /^[+-]?\\d+$/`]: worst(header, '+', '1', '.'),
  [`${server}/pipeline/steps/input/read-integer.ts /^[+-]?[0-9]+$/`]: worst(smallBody, '-', '1', '.'),
  [`${server}/pipeline/steps/input/parse-input.ts /^charset\\s*=\\s*"?utf-?8"?$/i`]: worst(
    256,
    'charset',
    ' ',
    '!',
  ),
  // Applied to names and codes, after their length was checked.
  // Applied to an operator's username, and to each letter of the password.
  [`${server}/passwords/guessable-password.ts /[^\\p{L}\\p{N}]/u`]: worst(lineOfText, '', ' ', 'a'),
  [`${server}/passwords/guessable-password.ts /[\\p{M}\\p{Cf}]/gu`]: worst(lineOfText, '', '\u0301', 'a'),
  [`${server}/passwords/guessable-password.ts /\\p{L}/u`]: worst(lineOfText, '', '1', 'a'),
  [`${server}/json/exact-json.ts / at position (\\d+)(?: \\(line \\d+ column \\d+\\))?$/`]: worst(
    256,
    '',
    ' at position 1 (line 1 column 1',
    '!',
  ),
  [`${server}/database/postgres/search/indexed-condition.ts /www|ww-|-ww/`]: worst(searchText, '', 'w-', '-'),
  [`${server}/database/postgres/search/indexed-condition.ts /[\\\\%_]/g`]: worst(searchText, '', '%', ''),
  [`${server}/database/postgres/search/indexed-letters.ts /^[A-Z]$/`]: worst(searchText, '', 'A', 'b'),
  [`${server}/database/postgres/search/search-expression.ts /[!-/:-@[-\`{-~]/`]: worst(
    searchText,
    '',
    'a',
    'b',
  ),
  [`${server}/database/sqlite/user-search.ts /^[A-Za-z\\u00c0-\\u017f\\u0391-\\u03c9\\u0400-\\u0481\\u0531-\\u0586\\u1e00-\\u1eff]$/u`]:
    worst(searchText, '', 'a', '.'),
  [`${hashes}/argon2.ts /^\\$(argon2id?)\\$v=19\\$m=(\\d{1,9}),t=(\\d{1,9}),p=(\\d{1,9})\\$([^$]+)\\$([^$]+)$/`]:
    worst(passwordHash, '$argon2id$v=19$m=1,t=1,p=1$a$', 'a', '$'),
  [`${hashes}/bcrypt.ts /^\\$2[aby]\\$(\\d\\d)\\$[./A-Za-z0-9]{53}$/`]: worst(
    passwordHash,
    '$2b$10$',
    'a',
    '$',
  ),
  [`${hashes}/pbkdf2.ts /^\\$pbkdf2-(sha256|sha512)\\$(?:i=)?(\\d{1,9})(?:,l=\\d{1,3})?\\$([^$]+)\\$([^$]+)$/`]:
    worst(passwordHash, '$pbkdf2-sha256$1$a$', 'a', '$'),
  [`${hashes}/phc-base64.ts /^[A-Za-z0-9+/.]+$/`]: worst(passwordHash, '', 'a', '$'),
  [`${hashes}/scrypt.ts /^\\$scrypt\\$ln=(\\d{1,2}),r=(\\d{1,9}),p=(\\d{1,9})\\$([^$]+)\\$([^$]+)$/`]: worst(
    passwordHash,
    '$scrypt$ln=1,r=1,p=1$a$',
    'a',
    '$',
  ),
  [`${signing}/authorization-header.ts /^cbs:([^:\\s]+):([^:\\s]+)$/`]: worst(header, 'cbs:', 'a', ':'),
  [`${server}/http/parsing/client-error.ts /^[^\\n]* HTTP\\/1\\.[01]\\r?\\n/`]: worst(
    packet,
    '',
    ' HTTP/1.1',
    ' HTTP/1.2',
  ),
  [`${server}/http/parsing/escape-raw-target.ts /[\\x80-\\xff]/g`]: worst(packet, '', '\xff', 'z'),
  [`${server}/http/parsing/escape-raw-target.ts /^((?:GET|POST|PUT|DELETE) )(\\/[!-~\\x80-\\xff]*)( HTTP\\/1\\.[01]\\r?)$/`]:
    worst(packet, 'GET /', 'a', ' HTTP/1.2'),
  [`${server}/http/parsing/escape-raw-target.ts /^[A-Z]+ [^/\\s][!-~\\x80-\\xff]* HTTP\\/1\\.[01]\\r?$/`]:
    worst(packet, 'GET a', 'a', ' HTTP/1.2'),
  [`${signing}/authorization-header.ts /^[A-Za-z0-9+/]{43}=$/`]: worst(header, '', 'a', '='),
  [`${signing}/mistakes/charset-mistakes.ts /[^\\0-\\x7f]/`]: worst(smallBody, '', 'a', 'z'),
  [`${signing}/authorization-header.ts /\\s/`]: worst(header, '', 'a', 'z'),
  [`${signing}/canonical-resource.ts /%(?![0-9A-Fa-f]{2})/`]: worst(header, '', '%41', 'z'),
  [`${signing}/canonical-resource.ts /%[89A-Fa-f]/`]: worst(header, '', '%41', 'z'),
  [`${signing}/canonical-resource.ts /[=&\\p{Cc}]/u`]: worst(header, '', 'a', 'z'),
  [`${signing}/canonical-resource.ts /[^=]/`]: worst(header, '', '=', 'z'),
  [`${signing}/line-names.ts /^\\d+$/`]: worst(header, '', '1', 'z'),
  [`${signing}/mistakes/layout-mistakes.ts /^[a-z]+:\\/\\//i`]: worst(header, '', 'a', ':'),
  [`${signing}/mistakes/query-mistakes.ts /=(?=&|$)/g`]: worst(header, '', '=', 'z'),
  [`${signing}/mistakes/reserialised-bodies.ts /[<>&]/g`]: worst(header, '', '<', 'z'),
  [`${signing}/mistakes/reserialised-bodies.ts /[^\\0-~]/g`]: worst(header, '', 'é', 'z'),
  [`${signing}/mistakes/signature-forms.ts /%(?:2B|2F|3D)/i`]: worst(header, '', '%2', 'z'),
  [`${signing}/mistakes/signature-forms.ts /%(?:2B|2F|3D)/gi`]: worst(header, '', '%2', 'z'),
  [`${signing}/mistakes/signature-forms.ts /[-_]/`]: worst(header, '', 'a', 'z'),
  [`${signing}/mistakes/text-forms.ts /^(?:[0-9A-Fa-f]{2})+$/`]: worst(header, '', 'a', 'z'),
  [`${signing}/mistakes/text-forms.ts /={1,2}$/`]: worst(header, '', '=', 'z'),
  [`${signing}/mistakes/text-forms.ts /^[A-Za-z0-9+/]+$/`]: worst(header, '', 'a', '!'),
  [`${signing}/read-signing-headers.ts /^[0-9]{1,16}$/`]: worst(header, '', '1', '.'),
  [`${signing}/read-signing-headers.ts /^[0-9]+$/`]: worst(header, '', '1', '.'),
  // Messages quote what was sent: a name, or a field up to its limit.
  [`${server}/directory/quote-visibly.ts /(?! )[\\p{Z}\\p{Cc}\\u200b\\u2060\\ufeff\\u061c\\u200e\\u200f\\u202a\\u202b\\u202c\\u202d\\u202e\\u2066\\u2067\\u2068\\u2069]/gu`]:
    worst(smallBody, '', ' \u200b', 'z'),
  // Messages quote up to 40 characters of a parameter name or of a timestamp.
  [`${signing}/show-invisible.ts /(?! )[\\p{Cc}\\p{Cf}\\p{Z}\\p{Cs}\\u2800]/gu`]: worst(
    header,
    '',
    ' \u200b',
    'z',
  ),
  // The records of failed calls keep parts of a request.
  [`${server}/call-records/withhold-values.ts /[^=]/`]: worst(header, '', '=', 'z'),
  [`${server}/call-records/withhold-values.ts /\\uFFFD$/`]: worst(1_500, '', '\uFFFD', 'z'),
  [`${server}/console/claim-change.ts /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/`]:
    worst(header, '01234567-0123-7012-8123-', '0', 'z'),
  [`${server}/console/require-access.ts /^\\d{1,18}$/`]: worst(header, '', '1', '.'),
  [`${server}/console/sign-in/second-factor.ts /^\\d{6}$/`]: worst(smallBody, '', '1', '.'),
  [`${server}/console/sign-in/second-factor.ts /[^0-9a-f]/g`]: worst(smallBody, '', 'z', 'a'),
  // A copy writes what requests have stored.
  [`${server}/database/postgres/tables/fill-tables.ts /[\\\\\\n\\r\\t]/g`]: worst(smallBody, '', '\\', 'z'),
  [`${server}/database/postgres/tables/fill-tables.ts /[\\\\\\n\\r\\t]/`]: worst(smallBody, '', 'a', 'z'),
  // An erasure reads the targets of failed calls.
  [`${server}/database/queries/erasure/shows-person.ts /(?:%[0-9a-f]{2})+/gi`]: worst(header, '', '%ff', '%'),
  [`${server}/database/queries/erasure/shows-person.ts /[?&]/`]: worst(header, '', 'a', 'z'),
  [`${server}/database/queries/erasure/shows-person.ts /[,;|"'…\\ufffd]/`]: worst(header, '', 'a', 'z'),
  // Applied to one character.
  [`${server}/database/queries/erasure/shows-person.ts /[\\p{L}\\p{N}\\p{M}]/u`]: worst(2, '', '.', '.'),
  [`${server}/database/queries/erasure/shows-person.ts /[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]/u`]:
    worst(2, '', '.', '.'),
  [`${server}/http/log/caller-ids.ts /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-[\\x21-\\x7e]{0,64})?$/`]:
    worst(header, `00-${'0'.repeat(32)}-${'0'.repeat(16)}-00-`, 'a', ' '),
  [`${server}/http/log/caller-ids.ts /^[\\x21-\\x7e]{1,128}$/`]: worst(header, '', 'a', ' '),
  [`${server}/directory/invisible-character.ts /\\p{Default_Ignorable_Code_Point}/gu`]: worst(
    smallBody,
    '',
    '\u00ad',
    'a',
  ),
  'contract /^[^\\s\\x00-\\x1f\\x7f-\\x9f]([^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f])?$/u':
    worst(200, 'a', ' ', ' '),
};

/** Source files whose expressions are never applied to a request, and where their texts come from. */
export const otherFiles: Readonly<Record<string, string>> = {
  [`${server}/admin/`]: "the operator's commands and files",
  [`${server}/applications/`]: "the operator's credentials and master key",
  [`${server}/settings/setting-values.ts`]: "the operator's settings",
  [`${server}/machine/is-this-machine.ts`]: "the operator's settings",
  [`${server}/machine/network-fault.ts`]: "the operator's settings and entries",
  [`${server}/http/reference/`]: 'our own sources; what the page does happens in the browser',
  [`${server}/http/client-address.ts /^\\d*$/`]: "the operator's settings",
  [`${server}/database/postgres/connections/database-url.ts`]: "the operator's settings",
  [`${server}/database/postgres/errors/postgres-error.ts`]: "the driver's messages",
  [`${server}/console/sign-in/second-factor.ts /(.{5})(?=.)/g`]: 'a recovery code that the server made',
  [`${server}/database/sqlite/errors/damage-report.ts`]: "SQLite's messages",
  [`${server}/database/sqlite/files/process-limits.ts`]: "the system's list of limits",
  [`${server}/database/sqlite/bookkeeping/damaged-files.ts`]: 'a time that the server formatted',
  [`${server}/metrics/metrics-listener.ts`]: "the operator's settings",
  [`${signing}/sign-request.ts`]: 'what a client signs itself',
};

/** Expressions with more than one attempt per character, applied to a few hundred characters of our own. */
export const toleratedExpressions: Readonly<Record<string, string>> = {
  [`${server}/settings/setting-values.ts /\\/+$/`]: "the operator's base path",
  [`${server}/applications/master-key/decode-master-key.ts /=+$/`]: "the operator's master key",
  'packages/server/src/http/reference/page/rich-text.ts /`([^`]+)`|\\[([^\\]]+)\\]\\((#[^)]+)\\)/g':
    'descriptions in our own contract, in the browser',
  'packages/cli/src/config/console-address.ts /\\/+$/': "the console's URL on the command line",
  'packages/client/src/client-options.ts /\\/+$/': 'the URL of the server',
  'packages/cli/src/run-program.ts /\\s*\\n\\s*/g': "the command's own messages",
  'packages/cli/src/explain/read-request.ts /\\/+$/': 'the URL on the command line',
  'packages/cli/src/explain/read-request.ts /^(https?:\\/\\/[^/?#\\s]+)?([!"$-~]*)$/i':
    'the URL on the command line',
  'packages/cli/src/call/split-url.ts /\\/+$/': 'the URL on the command line',
};
