import { answerWait, limits, profileTexts } from '@fieldroster/contract';
import { queryParametersMax } from '@fieldroster/signing';
import { markdownTable } from './markdown-table.ts';

/** Renders the limits that hold for every operation. */
export function limitsTable(): string {
  return markdownTable(
    ['what', 'limit'],
    [
      ['difference between clocks', `${limits.timestampSkewSeconds} seconds`],
      ['nonce', charactersOf(limits.nonceCharactersMax)],
      ...textRows(),
      ['body', 'depends on the path, see [below](#how-large-a-body-may-be)'],
      ['parameters in a query, empty parts included', String(queryParametersMax)],
      ['request line and headers', '16 KiB, 200 headers'],
      ['time for a request to arrive', '60 seconds'],
      [
        'time until an answer',
        `${answerWait.usualMs / 1000} seconds, and [minutes](#how-long-to-wait-for-an-answer) for a large batch`,
      ],
      ['requests per second of an application', 'none, unless the operator sets one'],
    ],
  );
}

/** The fields of a user: those with the same limit share a row, and the shortest come first. */
function textRows(): string[][] {
  const maxima: [name: string, charactersMax: number][] = [
    ['username', limits.usernameCharactersMax],
    ...Object.entries(profileTexts).map(([name, { charactersMax }]): [string, number] => [
      name,
      charactersMax,
    ]),
    ['password', limits.passwordCharactersMax],
    ['ext_info', limits.extInfoCharactersMax],
  ];
  return [...Map.groupBy(maxima, ([, charactersMax]) => charactersMax)]
    .toSorted(([a], [b]) => a - b)
    .map(([charactersMax, fields]) => [fields.map(([name]) => name).join(', '), charactersOf(charactersMax)]);
}

function charactersOf(charactersMax: number): string {
  return `${charactersMax} characters`;
}

/** Renders how long a client should wait for an answer. */
export function answerWaitTable(): string {
  const { usualMs, manyRowsMs, largeBodyBytesMin, turnMs, perMebibyteMs, perPasswordMs } = answerWait;
  const large = `a body of ${largeBodyBytesMin / 1024} KiB or more`;
  return markdownTable(
    ['what', 'seconds', 'why'],
    [
      ['any call', String(usualMs / 1000), 'the database may be busy'],
      [
        'a removal of up to 50,000 bindings, or a list that takes as many stores from a user, in addition',
        String(manyRowsMs / 1000),
        'the work of the database, 2 ms for each',
      ],
      [`${large}, in addition`, String(turnMs / 1000), 'it may wait for its turn'],
      ['and for each MiB or part of one', String(perMebibyteMs / 1000), 'the work of the database'],
      [
        'each password of `POST /users/batch`, in addition',
        String(perPasswordMs / 1000),
        'the server hashes it; a `password_hash` costs nothing',
      ],
    ],
  );
}
