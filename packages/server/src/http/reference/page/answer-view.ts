import { element } from './element.ts';
import type { PreparedRequest } from './prepare-request.ts';
import { signedPartsTable } from './signed-parts.ts';
import { jsonBlock, textBlock } from './text-block.ts';

export interface AnswerView {
  readonly element: HTMLElement;
  /** Sends the request and shows the answer. */
  send(request: PreparedRequest): void;
  /** Shows how the request was signed. */
  showSigned(request: PreparedRequest): void;
  showProblem(text: string): void;
}

/** Makes the view of an operation's answer, an example at first, and of how its request was signed. */
export function answerView(example: unknown): AnswerView {
  const status = element('p', { class: 'status', role: 'status' }, 'Nothing was sent yet.');
  const answer = element('div', {}, jsonBlock('Example of a successful answer', JSON.stringify(example)));
  const signing = element('div');
  const view = element(
    'section',
    { class: 'answer', 'aria-label': 'Answer' },
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
          answer.replaceChildren(jsonBlock('Envelope', text));
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
    summary: [facts.join(' · '), explainMismatch(code, message, signed.stringToSign) ?? message]
      .filter((line) => line !== '')
      .join('\n'),
    succeeded: answer.ok && code === 0,
  };
}

/** Says what the page knows of a mismatch; the envelope below has the server's whole message. */
function explainMismatch(code: unknown, message: string, stringToSign: string): string | undefined {
  if (code !== 1014 || !message.includes(JSON.stringify(stringToSign))) return undefined;
  return 'The signature does not match. The server made the same string to sign as this page, so the APPSECRET above is not the one of this APPID.';
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
  const { method, headers, signed } = request;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const about = element(
    'p',
    {},
    'Signed as UTF-8: these parts, with one line feed between them and none at the end. ',
    element('a', { href: '#/signing' }, 'How signing works'),
  );
  const parts = signedPartsTable({ ...signed, method, ...signed.headers });
  return [
    textBlock('String to sign', signed.stringToSign, [parts], about),
    textBlock('Headers', lines.join('\n')),
  ];
}
