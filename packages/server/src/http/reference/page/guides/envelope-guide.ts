import { jsonBlock, textBlock } from '../text-block.ts';
import { type Guide, guidePage, guideSection } from './guide.ts';
import { textTable } from './text-table.ts';

const success = '{"code":0,"message":"","data":{"id":9223372036854775807,"username":"li.wei"}}';
const failure = '{"code":1401,"message":"the store does not exist: \\"N-999\\""}';
const headers = `HTTP/1.1 200 OK
Content-Type: application/json; charset=utf-8
X-Request-Id: 4f1d0c2ab97e-2
Date: Thu, 01 Jan 2026 00:00:00 GMT`;

export const envelopeGuide: Guide = {
  name: 'envelope',
  title: 'The envelope',
  summary: 'Every answer is one JSON object. Its `code`, not the HTTP status, says how the call ended.',
  keywords:
    'answer response code message data http status header x-request-id int64 number rounding retry-after',
  view: () =>
    guidePage(
      envelopeGuide,
      guideSection(
        'Success and failure',
        textTable(
          'Fields of the envelope',
          ['Field', 'Meaning'],
          [
            ['`code`', '0 is success. Anything else is a failure; [all codes](#/codes).'],
            [
              '`message`',
              'For people: it names the field and the rule, or the identifier that was not found. Its wording may change.',
            ],
            ['`data`', 'Present on success if the operation returns something. Never present on a failure.'],
          ],
        ),
        jsonBlock('Success', success),
        jsonBlock('Failure', failure),
        '`POST /user/stores` answers the message `success`. Every other success has an empty message.',
      ),
      guideSection(
        'HTTP status',
        'The status is 200 for every envelope about an operation, including failures: deployed clients of this scheme treat any other status as a broken connection. Decide by `code`.',
        'An answer that is not about an operation keeps its own status, and has an envelope too: 404 ([1005](#/codes/1005)), 405 ([1006](#/codes/1006)), 413 ([1004](#/codes/1004)), 429 ([1429](#/codes/1429)), 500 ([1500](#/codes/1500)) and 503 ([1503](#/codes/1503)). An operator can switch on the standard status of every code with `--http-status standard`.',
      ),
      guideSection(
        'Headers',
        textBlock('Headers of an answer', headers),
        'Quote `X-Request-Id` to the operator, who can find the log line of your call by it. `Date` is the server’s clock: compare it with yours. 429 and 503 carry `Retry-After`.',
      ),
      guideSection(
        'Values',
        'An id is an int64 and a JSON number. JSON libraries that read numbers as doubles, as in JavaScript, round ids above 2⁵³: use one that does not. This page shows every digit.',
        'Every field of an answer is always present. A string that was never set is `""`, a number `0`, a list `[]`. In a request, `null` means the same as leaving the field out, and nothing is converted: `"1"` is not an integer.',
      ),
    ),
};
