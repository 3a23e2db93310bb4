import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { FailurePage } from '../pages/not-found/failure-page.tsx';
import { routeTree } from './routes.tsx';

export function makeRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    basepath: '/console',
    context: { queryClient },
    defaultPreload: 'intent',
    defaultErrorComponent: FailurePage,
    scrollRestoration: true,
    // By default the key has the query too, and what somebody searched for would outlive the session in the browser.
    getScrollRestorationKey: ({ state, pathname }) => state.__TSR_key ?? pathname,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
