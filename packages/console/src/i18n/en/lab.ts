import type { RequestFault } from '@fieldroster/signing';

export const lab = {
  title: 'Signature lab',
  help: 'Paste a request and the string that your code signed. The lab shows each stage of the expected string, and the first place where yours differs. What you type stays in this browser.',
  recorded: (request: string) =>
    `Filled in from the record of request ${request}. Add the string that your code signed.`,
  lacksBody: 'The body is not recorded: paste it, or the Content-MD5 will differ.',
  lacksValues: 'Values that may be secret are not recorded.',
  example: 'Fill in an example',
  exampleFilledIn: 'The example replaced what you typed',
  result: 'Result',
  empty: 'The result appears here. Begin with the URL.',
  method: 'Method',
  url: 'URL, as it is sent',
  headers: 'Headers',
  body: 'Body',
  signedString: 'Your string to sign',
  signedStringHelp: 'Leave it empty to see only the expected one.',
  problems: {
    url: 'The URL must be a path with its query, or a whole URL, percent-encoded as it is sent: /user?username=ada%20b',
    withheld: 'Replace each … in the URL with the value that was sent.',
    'no-timestamp': 'Paste the Timestamp header, such as Timestamp: 1767225600',
    'no-nonce': 'Paste the Nonce header, such as Nonce: 3f2c9a4e',
  },
  /** None in English: each fault comes with its message in English. */
  sayFault: undefined as ((fault: RequestFault) => string) | undefined,
  /** Sentences about mistakes, by their names. None in English: each mistake comes with its cause in English. */
  mistakes: {} as Readonly<Record<string, string>>,
  besides: 'Besides: ',
  right: 'Your string is right',
  rightHelp:
    'If the server still refuses the signature, a different APPSECRET was used, or the body or URL changes on the way.',
  difference: (line: number, name: string, column: number) =>
    `The first difference is in line ${line} (${name}), character ${column}.`,
  noCause: 'No single known mistake explains it. Compare the lines below, and the bytes of the body.',
  comparison: 'Line by line',
  stringToSign: 'String to sign',
  line: 'Line',
  expectedColumn: 'Expected',
  actualColumn: 'Yours',
  noLine: 'no such line',
  emptyLine: '(an empty line)',
  stages: 'How it is made',
  noMd5: 'A request without a body has none, unless it is a POST: the line is left out, not left empty.',
  md5Of: (bytes: number) =>
    `Base64 of the 16 raw bytes of the MD5 of ${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`,
  parameters: 'Parameters',
  parametersHelp: 'Decoded, in the order of their names',
  noParameters: 'None: the resource is only the path.',
  asJson: 'Expected string to sign, as JSON',
};
