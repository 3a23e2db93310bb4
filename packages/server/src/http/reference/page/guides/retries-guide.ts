import { element } from '../element.ts';
import { richText } from '../rich-text.ts';
import { type Guide, guidePage, guideSection } from './guide.ts';
import { textTable } from './text-table.ts';

const steps = [
  'Sign the write once. Keep its headers and the bytes of its body.',
  'Send it. With `code` 0 it is done.',
  'If no answer comes, or `code` 1500 or 1503, send the same request again: the same headers, the same bytes. Do so at growing intervals, within 60 seconds of its timestamp.',
  'With `code` 0 or 1015 it is done, once. There are two exceptions: an answer with `applied: false` did nothing, and in a batch that is not atomic, entries may have failed. With any other code, this attempt did nothing.',
  'If the 60 seconds are over, or if a code from 1001 to 1016, other than 1015, follows an attempt without an answer, check whether that attempt took effect before you sign a new request.',
];

export const retriesGuide: Guide = {
  name: 'retries',
  title: 'Retries',
  summary:
    'A signed write takes effect once, however often it is sent. 0, without `applied: false`, and [1015](#/codes/1015) both prove that it did.',
  keywords:
    'retry repeat again lost answer timeout exactly once idempotent 1015 1429 1500 1503 nonce replay backoff',
  view: () =>
    guidePage(
      retriesGuide,
      guideSection(
        'When an answer is lost',
        element('ol', {}, ...steps.map((step) => element('li', {}, ...richText(step)))),
        'The server records the signature of a write in the transaction of its effect. That is why this holds across restarts, several servers and wrong clocks. A write that was refused or undone is not recorded, and may be sent again unchanged.',
      ),
      guideSection(
        'What to do with each outcome',
        textTable(
          'Outcomes',
          ['Outcome', 'What happened', 'What to do'],
          [
            ['0', 'The call took effect, unless the answer says `applied: false`.', 'Go on.'],
            [
              '[1015](#/codes/1015)',
              'This signed write has already taken effect.',
              'Treat it as success. The first answer is not kept: if you need an id, query it.',
            ],
            ['no answer', 'Unknown.', 'Send the same request again, unchanged.'],
            [
              '[1500](#/codes/1500)',
              'Nothing, unless the message says that the outcome is unknown.',
              'Send the same request again, at once and then at growing intervals.',
            ],
            [
              '[1503](#/codes/1503)',
              'Nothing in this attempt.',
              'Wait for `Retry-After`, then send the same request again.',
            ],
            [
              '[1429](#/codes/1429)',
              'Nothing in this attempt.',
              'Wait for `Retry-After`, then send the same request again, or sign it again after 60 seconds.',
            ],
            [
              'another code below 1017',
              'Nothing in this attempt. An earlier one without an answer may have taken effect.',
              'Correct what the message names, check whether an earlier attempt took effect, then sign again. With a 1012 that has a `Retry-After`, wait for it first.',
            ],
            ['any other', 'Nothing.', 'Correct the request. Repeating it changes nothing.'],
          ],
        ),
      ),
      guideSection(
        'Nonces',
        'Two requests with the same method, body, timestamp, nonce and resource have the same signature, and count as one. Use a new random nonce for each new request, even within one second. Reads may be repeated freely.',
        'An operator can set a stricter rule: with `--replay nonce`, each nonce is accepted once, reads included. With `--replay off`, nothing is recorded, and a repeated write may take effect twice.',
      ),
    ),
};
