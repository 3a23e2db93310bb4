import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, notFound, Outlet, redirect } from '@tanstack/react-router';
import { lacksSecondFactor, sees, sessionQuery } from '../api/session.ts';
import { parseId } from '../api/wire.ts';
import { readAuditSearch } from '../pages/audit/audit-search.ts';
import { readImportSearch } from '../pages/import/import-search.ts';
import { readLabSearch } from '../pages/lab/lab-search.ts';
import { readMoveSearch } from '../pages/move-stores/move-search.ts';
import { FailedEntry, FailurePage, NotFoundPage } from '../pages/not-found/failure-page.tsx';
import { MissingTenantPage } from '../pages/not-found/missing-tenant-page.tsx';
import { readOverviewSearch } from '../pages/overview/overview-search.ts';
import { readRequestSearch } from '../pages/requests/request-search.ts';
import { readStoreSearch } from '../pages/stores/store-search.ts';
import { userListQuery } from '../pages/users/user-list-query.ts';
import { readUserSearch, type UserSearch } from '../pages/users/user-search.ts';
import { readEntrySearch } from '../parts/page/use-full-page.ts';
import { dropRefused } from './drop-refused.ts';
import { lazyPage } from './lazy-page.ts';

interface Context {
  readonly queryClient: QueryClient;
}

const rootRoute = createRootRouteWithContext<Context>()({
  component: Outlet,
  errorComponent: FailurePage,
});

const entry = { validateSearch: readEntrySearch, errorComponent: FailedEntry } as const;

/** Reads the address in this console to return to. */
function readNext({ next }: Record<string, unknown>): { next?: string } {
  return typeof next === 'string' && next.startsWith('/') ? { next } : {};
}

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: readNext,
  component: lazyPage(() => import('../pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

/** In place of the console, while a mandatory second factor is missing. */
const secondFactorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/second-factor',
  validateSearch: readNext,
  beforeLoad: async ({ context, search }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    if (session === null) throw redirect({ to: '/sign-in', search });
    if (!lacksSecondFactor(session)) throw redirect({ to: '/' });
  },
  component: lazyPage(() => import('../pages/second-factor/second-factor-page.tsx'), 'SecondFactorPage'),
});

const linkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/link',
  component: lazyPage(() => import('../pages/link/link-page.tsx'), 'LinkPage'),
});

/** Everything behind the sign-in. */
const insideRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'inside',
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    const search = { next: location.href };
    if (session === null) throw redirect({ to: '/sign-in', search });
    if (lacksSecondFactor(session)) throw redirect({ to: '/second-factor', search });
  },
  component: lazyPage(() => import('./shell/shell.tsx'), 'Shell'),
});

const homeRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/',
  beforeLoad: async ({ context }) => {
    const tenant = await firstTenant(context);
    if (tenant !== undefined) throw redirect({ to: '/t/$tenant', params: { tenant } });
  },
});

/**
 * Redirects an address without a tenant to the same address of the first tenant, whose routes show the shell even if there
 * is no such page.
 */
const withoutTenantRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/$',
  beforeLoad: async ({ context, params: { _splat }, location: { search } }) => {
    const tenant = await firstTenant(context);
    if (tenant === undefined) throw redirect({ to: '/' });
    throw redirect({ to: '/t/$tenant/$', params: { tenant, _splat }, search });
  },
});

async function firstTenant({ queryClient }: Context): Promise<string | undefined> {
  const session = await queryClient.ensureQueryData(sessionQuery);
  const [first] = session?.tenants ?? [];
  return first && String(first.id);
}

const tenantRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: '/t/$tenant',
  beforeLoad: async ({ context: { queryClient }, params }) => {
    const id = parseId(params.tenant);
    if (id === undefined) throw redirect({ to: '/' });
    if (sees(await queryClient.ensureQueryData(sessionQuery), id)) return;
    // It may be newer than what this page knows.
    if (!sees(await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 }), id)) throw notFound();
  },
  component: Outlet,
  // A dialog about an entry of one tenant must not stay open over the same page of another.
  remountDeps: ({ params }) => params.tenant,
  notFoundComponent: MissingTenantPage,
});

/** Inside the shell, whose navigation leads on. */
const notFoundRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/$',
  component: NotFoundPage,
});

const overviewRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/',
  validateSearch: dropRefused(readOverviewSearch, 'range', 'by'),
  component: lazyPage(() => import('../pages/overview/overview-page.tsx'), 'OverviewPage'),
});

const usersRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/users',
  validateSearch: dropRefused<UserSearch>(readUserSearch, 'role', 'org', 'missing', 'status', 'changed'),
  // Only the filters: opening a user must not load the list again.
  loaderDeps: ({ search }) => readUserSearch({ ...search }),
  // Not awaited: the answer travels while the browser loads the page that shows it.
  loader: ({ context, params, deps }) => {
    const tenant = parseId(params.tenant);
    if (tenant !== undefined) void context.queryClient.prefetchInfiniteQuery(userListQuery(tenant, deps));
  },
  component: lazyPage(() => import('../pages/users/users-page.tsx'), 'UsersPage'),
});

const userRoute = createRoute({
  getParentRoute: () => usersRoute,
  path: '/$user',
  ...entry,
  component: lazyPage(() => import('../pages/users/user-drawer.tsx'), 'UserDrawer'),
});

const applicationsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/applications',
  component: lazyPage(() => import('../pages/applications/applications-page.tsx'), 'ApplicationsPage'),
});

const applicationRoute = createRoute({
  getParentRoute: () => applicationsRoute,
  path: '/$application',
  ...entry,
  component: lazyPage(() => import('../pages/applications/application-drawer.tsx'), 'ApplicationDrawer'),
});

const requestsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/requests',
  validateSearch: dropRefused(readRequestSearch, 'app', 'operation', 'code', 'from', 'until'),
  component: lazyPage(() => import('../pages/requests/requests-page.tsx'), 'RequestsPage'),
});

const requestRoute = createRoute({
  getParentRoute: () => requestsRoute,
  path: '/$request',
  ...entry,
  component: lazyPage(() => import('../pages/requests/request-drawer.tsx'), 'RequestDrawer'),
});

const auditRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/audit',
  validateSearch: dropRefused(readAuditSearch, 'user', 'operator', 'from', 'until', 'of'),
  component: lazyPage(() => import('../pages/audit/audit-page.tsx'), 'AuditPage'),
});

const orgsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/orgs',
  component: lazyPage(() => import('../pages/orgs/orgs-page.tsx'), 'OrgsPage'),
});

const rolesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/roles',
  component: lazyPage(() => import('../pages/roles/roles-page.tsx'), 'RolesPage'),
});

const storesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/stores',
  validateSearch: dropRefused(readStoreSearch, 'unassigned'),
  component: lazyPage(() => import('../pages/stores/stores-page.tsx'), 'StoresPage'),
});

const storeRoute = createRoute({
  getParentRoute: () => storesRoute,
  path: '/$store',
  ...entry,
  component: lazyPage(() => import('../pages/stores/store-drawer.tsx'), 'StoreDrawer'),
});

const moveStoresRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/move-stores',
  validateSearch: dropRefused(readMoveSearch, 'from', 'to'),
  component: lazyPage(() => import('../pages/move-stores/move-stores-page.tsx'), 'MoveStoresPage'),
});

const importRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/import',
  validateSearch: dropRefused(readImportSearch, 'of'),
  component: lazyPage(() => import('../pages/import/import-page.tsx'), 'ImportPage'),
});

const labRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/lab',
  validateSearch: readLabSearch,
  component: lazyPage(() => import('../pages/lab/lab-page.tsx'), 'LabPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/settings',
  component: lazyPage(() => import('../pages/settings/settings-page.tsx'), 'SettingsPage'),
});

const tenantPages = [
  overviewRoute,
  usersRoute.addChildren([userRoute]),
  storesRoute.addChildren([storeRoute]),
  orgsRoute,
  rolesRoute,
  applicationsRoute.addChildren([applicationRoute]),
  requestsRoute.addChildren([requestRoute]),
  auditRoute,
  moveStoresRoute,
  importRoute,
  labRoute,
  settingsRoute,
  notFoundRoute,
] as const;

export const routeTree = rootRoute.addChildren([
  signInRoute,
  secondFactorRoute,
  linkRoute,
  insideRoute.addChildren([homeRoute, withoutTenantRoute, tenantRoute.addChildren(tenantPages)]),
]);
