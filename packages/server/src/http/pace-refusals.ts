import type { IncomingMessage, ServerResponse } from 'node:http';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Refusals in each interval. At some 25 µs each, four in a millisecond take a tenth of the event loop. */
const pace = { refusals: 40, intervalMs: 10 };

/** Refusals that may wait, each with its connection. */
const heldMax = 8_192;

/**
 * Spreads refusals over time. A client that ignores `Retry-After` sends the next request as soon as it has an answer.
 * With enough such clients, the event loop would do little but refuse.
 */
export function paceRefusals(refuse: Answer): Answer {
  const held: (readonly [IncomingMessage, ServerResponse])[] = [];
  let left = pace.refusals;
  let intervalRuns = false;
  const beginInterval = () => {
    intervalRuns = false;
    left = pace.refusals;
    for (const [request, response] of held.splice(0, pace.refusals)) answer(request, response);
  };
  const answer: Answer = (request, response) => {
    left -= 1;
    if (!intervalRuns) setTimeout(beginInterval, pace.intervalMs);
    intervalRuns = true;
    refuse(request, response);
  };
  return (request, response) => {
    if (left > 0 || held.length >= heldMax) answer(request, response);
    else held.push([request, response]);
  };
}
