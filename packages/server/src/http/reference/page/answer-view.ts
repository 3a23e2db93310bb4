import { curlCommand } from './curl-command.ts';
import { element, table } from './element.ts';
import { formatJson } from './format-json.ts';
import type { PreparedRequest } from './prepare-request.ts';

export interface AnswerView {
  readonly element: HTMLElement;
  /** Sends the request and shows the answer. */
  send(request: PreparedRequest): void;
  /** Shows how the request was signed. */
  showSigned(request: PreparedRequest): void;
  showProblem(text: string): void;
}

/** Makes the view of an operation's answer and of how its request was signed. */
export function answerView(): AnswerView {
  const status = element('p', { class: 'status', role: 'status' }, 'Nothing was sent yet.');
  const answer = element('div');
  const signing = element('div');
  const view = element(
    'section',
    { 'aria-label': 'Answer' },
    element('h3', {}, 'Answer'),
    status,
    answer,
    signing,
  );
  const say = (text: string, outcome = '') => {
    status.textContent = text;
    status.className = `status ${outcome}`;
    status.scrollIntoView({ block: 'nearest' });
  };
  const show: AnswerView = {
    element: view,
    showProblem(text) {
      say(text, 'failed');
      answer.replaceChildren();
      signing.replaceChildren();
    },
    showSigned(request) {
      say('Signed, not sent.');
      answer.replaceChildren();
      signing.replaceChildren(...signedView(request));
    },
    send(request) {
      say('Sent; waiting for the answer…');
      signing.replaceChildren(...signedView(request));
      exchange(request).then(
        ({ text, summary, succeeded }) => {
          say(summary, succeeded ? 'succeeded' : 'failed');
          answer.replaceChildren(block('Envelope', text, jsonPieces(text)));
        },
        (error: Error) => {
          say(`The server could not be reached: ${error.message}`, 'failed');
          answer.replaceChildren();
        },
      );
    },
  };
  return show;
}

async function exchange({ method, url, headers, body, signed }: PreparedRequest) {
  const started = performance.now();
  const answer = await fetch(url, {
    method,
    headers,
    ...(body !== undefined && { body }),
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
  });
  const text = await answer.text();
  const milliseconds = Math.round(performance.now() - started);
  const { code, message } = readEnvelope(text);
  const requestId = answer.headers.get('X-Request-Id');
  const facts = [`HTTP ${answer.status}`, `code ${code}`, `${milliseconds} ms`, `request ${requestId}`];
  return {
    text,
    summary: [facts.join(' · '), message, explainMismatch(code, message, signed.stringToSign)]
      .filter((line) => line !== '')
      .join('\n'),
    succeeded: answer.ok && code === 0,
  };
}

function explainMismatch(code: unknown, message: string, stringToSign: string): string {
  if (code !== 1014 || !message.includes(JSON.stringify(stringToSign))) return '';
  return 'The server’s string is the one that was signed here: the APPSECRET above is another one.';
}

function readEnvelope(text: string): { code: unknown; message: string } {
  try {
    const { code, message } = JSON.parse(text) as { code: unknown; message: unknown };
    return { code, message: String(message) };
  } catch {
    return { code: 'unknown', message: 'The answer is not an envelope.' };
  }
}

function signedView(request: PreparedRequest): HTMLElement[] {
  const { signed } = request;
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  const about = element(
    'p',
    {},
    'Signed as UTF-8: these parts, with one line feed between them and none at the end.',
  );
  return [
    block('String to sign', signed.stringToSign, [signedParts(request)], about),
    block('Headers', headers.join('\n')),
    block('As a curl command', curlCommand(request)),
  ];
}

/** Lists the parts instead of splitting at line feeds, because a decoded parameter may contain one. */
function signedParts({ method, signed }: PreparedRequest): HTMLElement {
  const { contentMd5, headers, canonicalResource } = signed;
  const parts = [
    ['Method', method],
    ...(contentMd5 === undefined ? [] : [['Content-MD5', contentMd5]]),
    ['Timestamp', headers.Timestamp],
    ['Nonce', headers.Nonce],
    ['CanonicalizedResource', canonicalResource],
  ];
  const rows = parts.map(([name = '', value = '']) =>
    element('tr', {}, element('th', { scope: 'row' }, name), element('td', {}, element('code', {}, value))),
  );
  return table('String to sign', ['Part', 'Value'], rows);
}

function jsonPieces(text: string): HTMLElement[] {
  const pieces = formatJson(text);
  if (pieces === undefined) return [pre(text)];
  return [pre(...pieces.map(({ kind, text: piece }) => element('span', { class: kind }, piece)))];
}

function pre(...children: readonly (Node | string)[]): HTMLElement {
  // Focusable, so that it can be scrolled with the keyboard.
  return element('pre', { tabindex: '0' }, ...children);
}

/** Makes a titled text with a copy button. `content` replaces the plain text where there is a better form. */
function block(
  title: string,
  text: string,
  content: readonly HTMLElement[] = [pre(text)],
  ...about: readonly HTMLElement[]
): HTMLElement {
  const copy = element('button', { type: 'button', class: 'plain small' }, 'Copy');
  copy.setAttribute('aria-label', `Copy: ${title}`);
  // Browsers offer the clipboard only on HTTPS and localhost.
  copy.hidden = navigator.clipboard === undefined;
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    copy.textContent = 'Copied';
  });
  const head = element('div', { class: 'split' }, element('h4', {}, title), copy);
  return element('section', { class: 'block', 'aria-label': title }, head, ...content, ...about);
}
