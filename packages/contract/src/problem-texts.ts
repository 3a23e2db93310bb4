import { consoleProblemTexts } from './console-problems.ts';
import { type HashProblem, hashProblemInEnglish } from './password-hash-problems.ts';

/** A field, by the name that the operations give it. */
interface OfField {
  readonly field: string;
}

interface OfValue extends OfField {
  readonly value: string;
}

interface Named {
  readonly value: string;
}

/** A name that several roles or organizations have. */
interface SeveralNamed extends Named {
  readonly count: number;
  /** The first of them. */
  readonly found: readonly { readonly id: string; readonly path: string }[];
}

/** A name that none of the entries with the id has. */
interface OtherNamed extends Pick<SeveralNamed, 'value' | 'found'> {
  readonly id: string;
}

interface OfRange extends OfField {
  readonly min: string;
  readonly max: string;
}

const asText = 'format the column as text there, and enter the value again';

const asTextInSheet = '; in a spreadsheet, format the column as text, and enter the value again';

const asShown = 'format the column as text there, and enter the value as it is shown';

const enterIt = 'or enter the value itself';

/**
 * The English sentence of each problem that a file of users, stores, organizations or roles may have, or an entry in a
 * request. The console has the other languages, by the same keys.
 */
export const problemTexts = {
  ...consoleProblemTexts,

  // A value in a file
  missing: ({ field }: OfField) => `${field} is missing`,
  tooLong: ({ field, max, count }: OfField & { readonly max: number; readonly count: number }) =>
    `${field} must be at most ${max} characters; it has ${count}`,
  storeCodeTooLong: ({ max, count }: { readonly max: number; readonly count: number }) =>
    `store_codes has a code of ${count} characters; a store code has at most ${max}`,
  whiteSpaceAround: ({ field }: OfField) => `${field} begins or ends with white space`,
  outOfRange: ({ field, min, max }: OfRange) => `${field} must be from ${min} to ${max}`,
  notWhole: ({ field, value }: OfValue) => `${field} is ${JSON.stringify(value)}; it must be a whole number`,
  isList: ({ field }: OfField) => `${field} must be one whole number, not a list`,
  notText: ({ field, kind }: OfField & { readonly kind: string }) =>
    `${field} must be a string, not a ${kind}${kind === 'boolean' ? asTextInSheet : ''}`,
  notTexts: ({ field }: OfField) => `${field} must contain only strings`,
  notGender: ({ value }: { readonly value: string }) =>
    `gender is ${JSON.stringify(value)}; it must be male or female, or 0 for not given, 1 for male, 2 for female`,
  shortened: ({ field, value }: OfValue) =>
    `${field} is ${value}, a number that a spreadsheet has shortened; ${asText}`,
  madeDate: ({ field, value }: OfValue) =>
    `${field} is ${value}, a date, which a spreadsheet made of the value; ${asText}`,
  isDate: ({ field }: OfField) => `${field} is a date; a spreadsheet may have converted the value; ${asText}`,
  rounded: ({ field }: OfField) => `${field} is a number that the spreadsheet has rounded; ${asText}`,
  sheetError: ({ field, value }: OfValue) =>
    `${field} is the error ${value}; correct the formula in the spreadsheet, ${enterIt}`,
  noResult: ({ field, value }: OfValue) =>
    `${field} is the formula ${value}, ${noResult}; ${saveThere}, ${enterIt}`,
  noResultOfSecret: ({ field }: OfField) => `${field} is a formula ${noResult}; ${saveThere}, ${enterIt}`,
  shownOtherwise: ({ field, value }: OfValue) =>
    `${field} is a number that the spreadsheet displays differently, in the format ${value}; ${asShown}`,
  shownOtherwiseOfSecret: ({ field }: OfField) =>
    `${field} is a number that the spreadsheet displays differently; ${asShown}`,

  noRoleNamed: ({ value }: Named) =>
    `no role is called ${JSON.stringify(value)}; enter the name of a role, or its id`,
  noOrgNamed: ({ value }: Named) =>
    `no organization is called ${JSON.stringify(value)}; enter the name of an organization, its path, such as Company / North, or its id`,
  severalRoles: ({ value, count, found }: SeveralNamed) =>
    `${count} roles are called ${JSON.stringify(value)}; enter the id of one: ${found.map(({ id }) => id).join(', ')}${andMore(count, found)}`,
  severalOrgs: ({ value, count, found }: SeveralNamed) =>
    `${count} organizations are called ${JSON.stringify(value)}; enter the id or the path of one: ${found.map(({ id, path }) => `${id} (${path})`).join(', ')}${andMore(count, found)}`,
  otherRole: ({ id, value, found }: OtherNamed) =>
    `the id of the role is ${id}, but ${JSON.stringify(value)} is the name of ${found.map((other) => other.id).join(', ')}; correct the id or the name, or leave one of them empty`,
  otherOrg: ({ id, value, found }: OtherNamed) =>
    `the id of the organization is ${id}, but ${JSON.stringify(value)} is the name of ${found.map((other) => `${other.id} (${other.path})`).join(', ')}; correct the id or the name, or leave one of them empty`,

  // A row of a file
  usernameRepeated: ({ line }: { readonly line: number }) =>
    `the username is already in line ${line}; a user has one row, with all of its stores`,
  entryRepeated: ({ line }: { readonly line: number }) =>
    `line ${line} already has this entry; remove one of the two lines`,
  rowTooLarge: ({ bytes, max }: { readonly bytes: number; readonly max: number }) =>
    `the row has ${bytes} bytes as JSON; at most ${max} fit into a request: give the user fewer stores`,
  moreMistakes: ({ count }: { readonly count: number }) =>
    `and ${count} more ${count === 1 ? 'mistake' : 'mistakes'} in this row`,
  fewerValues: ({ column, values, names }: Counted & { readonly column: string }) =>
    `the row has ${values} ${values === 1 ? 'value' : 'values'}, the header ${names}; the value of '${column}' is missing`,
  moreValues: ({ values, names }: Counted) =>
    `the row has more values than the header; is a value that contains the delimiter not quoted? (${values} values, the header has ${names})`,
  noParent: ({ id }: { readonly id: string }) =>
    `there is no organization ${id}, neither in the directory nor in the file`,

  // A file
  empty: (_: None) => 'is empty; its first line must name the columns',
  emptySheet: (_: None) =>
    'the first sheet is empty; only this sheet is read, and its first row must name the columns',
  unknownEnding: ({ file }: { readonly file: string }) =>
    `${file} must end in .csv or .xlsx, which determines its format`,
  headerError: ({ value }: { readonly value: string }) =>
    `a column's name is the error ${value}; enter the name itself`,
  headerWithoutResult: (_: None) => "a column's name is a formula without its result; enter the name itself",
  otherDelimiter: ({ delimiter }: { readonly delimiter: string }) =>
    `the values seem to be separated by '${delimiter}'; only ',', ';' and a tab are recognized: save the file with one of these, or name it with --delimiter '${delimiter}'`,
  quoteNotClosed: (_: None) => 'a quote is opened here and never closed',
  rowTooLong: ({ max }: { readonly max: number }) =>
    `the row that begins here is longer than ${max} bytes; perhaps a quote is not closed`,
  quoteNotDoubled: (_: None) => 'a quote within a quoted value must be doubled',
  quoteInside: (_: None) => 'a value with a quote in it must be quoted as a whole, and the quote doubled',
  notCsv: ({ code }: { readonly code: string }) => `is not CSV (${code})`,
  notUtf8: (_: None) =>
    "the text is not UTF-8; save the file as 'CSV UTF-8', or say how it is written, such as --encoding windows-1252 (Latin-1) or gb18030",
  otherEncoding: ({ encoding }: { readonly encoding: string }) =>
    `the text is not ${encoding}; is --encoding right?`,
  notWorkbook: ({ reason }: { readonly reason: string }) =>
    `cannot be read as a workbook: ${reason}; open it in a spreadsheet program and save it as .xlsx, or as CSV with a name that ends in .csv`,
  manyParts: ({ max }: { readonly max: number }) =>
    `has more than ${max} parts or relations: save the sheet in a workbook of its own, or as CSV`,
  largeWorkbook: ({ found, max }: { readonly found: number; readonly max: number }) =>
    `has at least ${found} MiB unpacked; at most ${max} are read: ${smaller}`,
  manyCells: ({ part, rows, columns, max }: Grid) =>
    `${part} has at least ${rows} rows of ${columns} columns; at most ${max} cells are read: delete empty rows and columns, or ${smaller}`,
  utf16Part: ({ part }: { readonly part: string }) =>
    `${part} is encoded in UTF-16, and must be in UTF-8: open the workbook in a spreadsheet program and save it again, or save it as CSV`,
  unusual: ({ part }: { readonly part: string }) =>
    `${part} is not written as spreadsheet programs write it: save the sheet again, or as CSV`,

  // A request that did not arrive as it was sent
  slowBody: ({ bytesPerSecond }: { readonly bytesPerSecond: number }) =>
    `the body arrives too slowly: send at least ${bytesPerSecond} bytes a second`,
  brokenBody: (_: None) => 'the body ended before its announced length',

  // An entry that the server refuses
  notInteger: ({ field, value }: OfValue) => `${field} must be an integer in decimal digits; it is ${value}`,
  integerOutOfRange: ({ field, min, max, value }: OfRange & { readonly value: string }) =>
    `${field} must be an integer from ${min} to ${max}; it is ${value}`,
  notOneOf: ({ field, words, value }: OfValue & { readonly words: readonly string[] }) =>
    `${field} must be one of ${words.join(', ')}; it is ${value}`,
  required: ({ field }: OfField) => `${field} is required`,
  /** `value` is a similar name, in quotes. */
  otherSpelling: ({ field, value }: OfValue) =>
    `${field} is required; ${value} is not read, because field names must match exactly`,
  emptyValue: ({ field }: OfField) => `${field} must not be empty`,
  halfCharacter: ({ field }: OfField) => `${field} must be valid Unicode; it has half of a surrogate pair`,
  nul: ({ field }: OfField) => `${field} must be free of NUL characters`,
  beginsWith: ({ field, character }: OfCharacter) => `${unprintable(field)}; it begins with ${character}`,
  endsWith: ({ field, character }: OfCharacter) => `${unprintable(field)}; it ends with ${character}`,
  contains: ({ field, character }: OfCharacter) => `${unprintable(field)}; it has ${character}`,
  invisible: ({ field, character }: OfCharacter) =>
    `${field} has the invisible character ${character}, which the username of a new user must not have`,
  /** `value` is the code, in quotes. */
  joinedStoreCode: ({ field, value, text }: OfValue & { readonly text: string }) =>
    `${field} is ${value}; a new code must not contain ${JSON.stringify(text)}, which looks like the start of another query parameter: choose another code`,
  twoPasswords: ({ field }: OfField) => `${field} must have a password or a password_hash, not both`,
  refusedHash: ({ field, hash }: OfField & { readonly hash: HashProblem }) =>
    `${field} is not accepted: ${hashProblemInEnglish(hash)}`,
  noRole: ({ id }: { readonly id: string }) => `no role has id ${id}`,
  noOrg: ({ id }: { readonly id: string }) => `no organization has id ${id}`,
  /** `codes` are in quotes; there are at most a hundred. */
  noStores: ({ codes, more }: { readonly codes: readonly string[]; readonly more: number }) =>
    `the store does not exist: ${codes.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  usernameTaken: ({ username }: { readonly username: string }) =>
    `the username ${username} is taken; choose another one, or change that user with PUT /user`,
  storeTaken: ({ code }: { readonly code: string }) =>
    `a store with code ${code} already exists; change it with PUT /store, or use POST /stores, which creates or changes`,
  roleTaken: ({ id }: { readonly id: string }) =>
    `a role with id ${id} already exists; leave the id out to get a new one, or change that role with PUT /role`,
  orgTaken: ({ id }: { readonly id: string }) =>
    `an organization with id ${id} already exists; leave the id out to get a new one, or change that organization with PUT /org`,
  orgInItself: ({ parent, id }: { readonly parent: string; readonly id: string }) =>
    parent === id
      ? `organization ${id} cannot be its own parent`
      : `organization ${parent} is below organization ${id}, so it cannot become its parent; choose another one`,
  manyStoresToChange: ({ max }: { readonly max: number }) =>
    `the users have more than ${max} stores, counting those to add; change fewer users at once`,
  tooManyLevels: ({ parent, max }: { readonly parent: string; readonly max: number }) =>
    `below organization ${parent}, the tree would have more than ${max} levels; choose a parent that is higher up`,
  notPositive: ({ field, value }: OfValue) =>
    `${field} must be positive; it is ${value}; leave it out, and the server assigns an id`,
};

function andMore(count: number, { length }: SeveralNamed['found']): string {
  return count > length ? ` and ${count - length} more` : '';
}

const noResult = 'whose result is not in the file';
const saveThere = 'open the file in a spreadsheet program and save it there';
const smaller = 'save the sheet as CSV or split it';

interface OfCharacter extends OfField {
  /** Its code point, such as `U+00A0`. */
  readonly character: string;
}

interface Counted {
  readonly values: number;
  readonly names: number;
}

interface Grid {
  /** The file within the workbook. */
  readonly part: string;
  readonly rows: number;
  readonly columns: number;
  readonly max: number;
}

type None = Readonly<Record<string, never>>;

/** The rule for a name on one line. */
export const printableMeaning = 'free of control characters, and of white space at either end';

function unprintable(field: string): string {
  return `${field} must be ${printableMeaning}`;
}

export type ProblemTexts = typeof problemTexts;

export type ProblemKey = keyof ProblemTexts;

/** A problem as data: the key of its sentence, and the values in it. */
export type Problem = {
  [Key in ProblemKey]: { readonly key: Key; readonly values: Parameters<ProblemTexts[Key]>[0] };
}[ProblemKey];
