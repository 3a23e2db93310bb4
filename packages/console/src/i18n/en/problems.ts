import type { ProblemTexts } from '@fieldroster/contract/problems';
import { encodingNames, nameOfEncoding } from '../encoding-names.ts';

/** Only those whose message names a flag of the command: the message that comes with a problem is in English. */
export const problems: Partial<ProblemTexts> = {
  notUtf8: () =>
    `The text is not UTF-8. Choose the encoding of the file above, such as ${encodingNames['windows-1252']} or ${encodingNames.gb18030}, or save the file as “CSV UTF-8”.`,
  otherEncoding: ({ encoding }) =>
    `The text is not ${nameOfEncoding(encoding)}. Choose another encoding of the file above.`,
};
