import type { ProblemTexts } from '@fieldroster/contract/problems';
import { encodingNames, nameOfEncoding } from '../encoding-names.ts';
import { written } from '../written.ts';

/** Replaces messages that are worded for users of the command or the interface. The others are shown as they are. */
export const problems: Partial<ProblemTexts> = {
  storeCodeTooLong: ({ max, count }) =>
    `Stores has a code of ${written(count)} characters; a store code has at most ${max}`,
  notGender: ({ value }) =>
    `Gender is ${JSON.stringify(value)}; it must be male or female, or 0 for not given, 1 for male, 2 for female`,
  usernameTaken: ({ username }) => `The username ${username} is taken`,
  storeTaken: ({ code }) => `A store with code ${code} already exists`,
  noRoleNamed: ({ value }) =>
    `No role is called ${JSON.stringify(value)}; enter the name of a role, or its ID`,
  noOrgNamed: ({ value }) =>
    `No organization is called ${JSON.stringify(value)}; enter the name of an organization, its path, such as Company / North, or its ID`,
  severalRoles: ({ value, count, found }) =>
    `${written(count)} roles are called ${JSON.stringify(value)}; enter the ID of one: ${found.map(({ id }) => id).join(', ')}${andMore(count - found.length)}`,
  severalOrgs: ({ value, count, found }) =>
    `${written(count)} organizations are called ${JSON.stringify(value)}; enter the ID or the path of one: ${found.map(({ id, path }) => `${id} (${path})`).join(', ')}${andMore(count - found.length)}`,
  otherRole: ({ id, value, found }) =>
    `The ID of the role is ${id}, but ${JSON.stringify(value)} is the name of ${found.map((other) => other.id).join(', ')}; correct the ID or the name, or leave one of them empty`,
  otherOrg: ({ id, value, found }) =>
    `The ID of the organization is ${id}, but ${JSON.stringify(value)} is the name of ${found.map((other) => `${other.id} (${other.path})`).join(', ')}; correct the ID or the name, or leave one of them empty`,
  noRole: ({ id }) => `No role has ID ${id}`,
  noOrg: ({ id }) => `No organization has ID ${id}`,
  roleTaken: ({ id }) => `A role with ID ${id} already exists`,
  orgTaken: ({ id }) => `An organization with ID ${id} already exists`,
  twoPasswords: () => 'A user may have a password or the hash of one, not both',
  notText: ({ field, kind }) =>
    kind === 'boolean'
      ? `${field} is TRUE or FALSE, and must be text; format the column as text in the spreadsheet, and enter the value again`
      : `${field} must be text`,
  notTexts: ({ field }) => `${field} must contain only text`,
  empty: () => 'The file is empty. Its first row must name the columns.',
  emptySheet: () =>
    'The first sheet is empty. Only this sheet is read, and its first row must name the columns.',
  notCsv: ({ code }) =>
    `The file is not CSV (${code}). Open it in a spreadsheet program and save it as CSV again.`,
  notWorkbook: () =>
    'The file cannot be read as a workbook. Open it in a spreadsheet program and save it again, or save it as CSV.',
  manyParts: ({ max }) =>
    `The workbook has more than ${written(max)} parts or relations. Save the sheet in a workbook of its own, or as CSV.`,
  largeWorkbook: ({ found, max }) =>
    `The workbook has at least ${written(found)} MiB unpacked; at most ${max} are read. Save the sheet as CSV or split it.`,
  otherDelimiter: ({ delimiter }) =>
    `The values seem to be separated by “${delimiter}”; only commas, semicolons and tabs are recognized. Save the file as CSV with one of these.`,
  notUtf8: () =>
    `The text is not UTF-8. Choose the encoding of the file above, such as ${encodingNames['windows-1252']} or ${encodingNames.gb18030}, or save the file as “CSV UTF-8”.`,
  otherEncoding: ({ encoding }) =>
    `The text is not ${nameOfEncoding(encoding)}. Choose another encoding of the file above.`,
};

function andMore(count: number): string {
  return count > 0 ? ` and ${written(count)} more` : '';
}
