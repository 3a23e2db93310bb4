import type { QueryClient } from '@tanstack/react-query';
import { createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router';
import { FailurePage } from '../pages/not-found/failure-page.tsx';
import { routeTree } from './routes.tsx';

export function makeRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    basepath: '/console',
    context: { queryClient },
    defaultPreload: 'intent',
    defaultErrorComponent: FailurePage,
    parseSearch: parseSearchWith(parseExactly),
    stringifySearch: stringifySearchWith(JSON.stringify, parseExactly),
    scrollRestoration: true,
    // The default key contains the query, so searched texts would outlive the session in the browser's storage.
    getScrollRestorationKey: ({ state, pathname }) => state.__TSR_key ?? pathname,
  });
}

/** Reads a value of an address. A number that JavaScript would round, such as an id beyond 2^53, stays a text. */
function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (typeof value === 'number' && String(value) !== text) throw new RangeError(`${text} would be rounded`);
  return value;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
