import { element } from '../element.ts';
import { type Guide, guidePage, guideSection } from './guide.ts';
import { signingExample } from './signing-example.ts';
import { textTable } from './text-table.ts';

export const signingGuide: Guide = {
  name: 'signing',
  title: 'Signing',
  summary:
    'Every request carries three headers, made from the method, the path and query, the body and the APPSECRET.',
  keywords:
    'signature authorization timestamp nonce hmac sha256 md5 content-md5 canonicalizedresource stringtosign cbs appid appsecret 1011 1012 1013 1014',
  view: () =>
    guidePage(
      signingGuide,
      guideSection(
        'The three headers',
        textTable(
          'Headers',
          ['Header', 'Value'],
          [
            ['`Authorization`', '`cbs:<APPID>:<Signature>`, without white space'],
            [
              '`Timestamp`',
              'the current time in whole seconds since 1970-01-01 UTC; the server accepts 60 seconds of difference',
            ],
            ['`Nonce`', '1 to 36 random characters, different for each request'],
          ],
        ),
      ),
      element(
        'section',
        { class: 'prose' },
        element('h3', {}, 'A worked example'),
        element(
          'p',
          {},
          'Change anything, and every stage follows. Your input stays in this page: it is neither sent nor stored.',
        ),
        signingExample(),
      ),
      guideSection(
        'When a signature does not match',
        'The message of [1014](#/codes/1014) contains the string that the server signed, as a JSON string, and the likely cause if it is a known one. Compare it line by line with yours:',
        textTable(
          'What differs',
          ['What differs', 'Usual cause'],
          [
            [
              'the method',
              '`HttpURLConnection` in Java sends POST in place of GET once the program opens its output stream, and so does `curl` with `-d`',
            ],
            [
              'the Content-MD5',
              "the JSON was serialized again after signing, or sent in another charset; or `echo` added a line feed to what was signed: use `printf '%s'` and `--data-binary`",
            ],
            ['a Content-MD5 on one side only', 'it was left out of an empty POST, or included for a GET'],
            ['timestamp or nonce', 'each was made twice, once for signing and once for the header'],
            ['the path', 'the base path is missing, or a proxy removes a prefix'],
            [
              'the query',
              'it was signed percent-encoded, or unsorted; or a space became `+`; or the URL was encoded twice',
            ],
            ['nothing', 'the string was not encoded in UTF-8; or a different APPSECRET was used'],
          ],
        ),
      ),
    ),
};
