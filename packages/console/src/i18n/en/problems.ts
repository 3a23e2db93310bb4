import type { ProblemTexts } from '@fieldroster/contract/problems';
import { encodingNames, nameOfEncoding } from '../encoding-names.ts';
import { written } from '../written.ts';

/** Only those whose message names a flag of the command or a field as the operations do: each message is in English. */
export const problems: Partial<ProblemTexts> = {
  storeCodeTooLong: ({ max, count }) =>
    `Stores has a code of ${written(count)} characters; a store code has at most ${max}`,
  notGender: ({ value }) =>
    `Gender is ${JSON.stringify(value)}; it must be male or female, or 0 for not given, 1 for male, 2 for female`,
  twoPasswords: () => 'A user may have a password or the hash of one, not both',
  notUtf8: () =>
    `The text is not UTF-8. Choose the encoding of the file above, such as ${encodingNames['windows-1252']} or ${encodingNames.gb18030}, or save the file as “CSV UTF-8”.`,
  otherEncoding: ({ encoding }) =>
    `The text is not ${nameOfEncoding(encoding)}. Choose another encoding of the file above.`,
};
