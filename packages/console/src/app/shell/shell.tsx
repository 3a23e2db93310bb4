import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMenu2 } from '@tabler/icons-react';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Outlet, useMatches, useParams, useRouter } from '@tanstack/react-router';
import {
  Fragment,
  type ReactNode,
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import {
  endedSession,
  followOtherTabs,
  lacksSecondFactor,
  type Session,
  sees,
  sessionQuery,
  useSession,
  useSetSession,
} from '../../api/session.ts';
import { type Id, sameId } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { removeJobsOfOthers } from '../../pages/import/job/remove-imports.ts';
import { MissingTenantPage } from '../../pages/not-found/missing-tenant-page.tsx';
import { lazyPart } from '../../parts/loading/lazy-part.tsx';
import { useLeftPosition } from '../../parts/page/use-left-position.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import icon from '../icon.svg';
import { PaletteButton } from '../palette/palette-button.tsx';
import { AccountMenu } from './account-menu.tsx';
import { ConnectionBar } from './connection-bar.tsx';
import { HelpMenu } from './help-menu.tsx';
import { Navigation } from './navigation.tsx';
import styles from './shell.module.css';
import { TenantSelect } from './tenant-select.tsx';
import { useChangedRights } from './use-changed-rights.ts';

/** The navigation on a narrow screen. */
const MenuDrawer = lazyPart(async () => (await import('./menu-drawer.tsx')).MenuDrawer);

const NoTenantPage = lazyPart(
  async () => (await import('../../pages/not-found/no-tenant-page.tsx')).NoTenantPage,
);

const SignInAgain = lazyPart(async () => (await import('../../pages/sign-in/sign-in-again.tsx')).SignInAgain);

/** The frame around every page behind the sign-in, to which it leads when the operator signs out. */
export function Shell() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  useOtherOperator(session);
  useOwnImports(session?.operator.id);
  useChangedRights(session);
  const { tenant } = useParams({ strict: false });
  const hasEnded = useSyncExternalStore(endedSession.subscribe, endedSession.read);
  if (session === null) return <Leave to="/sign-in" />;
  if (lacksSecondFactor(session)) return <Leave to="/second-factor" />;
  // An address without a tenant leads to the first one, unless there was none.
  const page = session.tenants.length === 0 || tenant === undefined ? <NoTenantPage /> : <Frame />;
  return (
    <>
      <Fragment key={String(session.operator.id)}>{page}</Fragment>
      <Suspense>{hasEnded && <SignInAgain />}</Suspense>
    </>
  );
}

/** Removes what the operators before have left in this browser when their sessions ended of themselves. */
function useOwnImports(operatorId: Id | undefined): void {
  const id = operatorId === undefined ? undefined : String(operatorId);
  useEffect(() => {
    // A browser that refuses the database has kept nothing.
    if (id !== undefined) removeJobsOfOthers(id).catch(() => {});
  }, [id]);
}

/** Starts over when another tab has signed in as somebody else: what is done here would be done in that name. */
function useOtherOperator(session: Session | null): void {
  const client = useQueryClient();
  const router = useRouter();
  const setSession = useSetSession();
  const shown = useRef(session?.operator.id);
  const startOver = useEffectEvent((next: Session) => {
    shown.current = next.operator.id;
    setSession(next);
    void router.navigate({ to: '/', ignoreBlocker: true });
  });
  useEffect(() => followOtherTabs(client), [client]);
  useEffect(() => {
    if (session === null) return;
    const isSame = shown.current !== undefined && sameId(session.operator.id, shown.current);
    if (!isSame) startOver(session);
  }, [session]);
}

interface LeaveProps {
  readonly to: '/sign-in' | '/second-factor';
}

/**
 * Goes once, from where the session ended. A `Navigate` goes again whenever the address changes, and a form with unsaved
 * text, whose guard still blocks while it unmounts, made it go for ever: the tab hung.
 */
function Leave({ to }: LeaveProps) {
  const router = useRouter();
  const [next] = useState(() => router.state.location.href);
  useEffect(() => {
    void router.navigate({ to, search: { next }, replace: true, ignoreBlocker: true });
  }, [router, to, next]);
  return null;
}

function Frame() {
  const { navigation, product } = useTexts();
  // No page of a tenant that does not exist, or that an owner has just taken away, has anything to show.
  const hasPages = sees(useSession(), useTenant());
  const [menuOpened, menu] = useDisclosure(false);
  const brand = (
    <div className={styles.brand}>
      <img src={icon} alt="" />
      {product}
    </div>
  );
  return (
    <div className={styles.shell}>
      <ConnectionBar />
      <a className={styles.skip} href="#content">
        {navigation.skip}
      </a>
      <section className={styles.side} aria-label={product}>
        {brand}
        {hasPages && <Navigation />}
      </section>
      <header className={styles.top}>
        {hasPages && (
          <ActionIcon className={styles.menu} aria-label={navigation.menu} onClick={menu.open}>
            <IconMenu2 size="1.125rem" />
          </ActionIcon>
        )}
        <div className={styles.search}>{hasPages && <PaletteButton />}</div>
        <TenantSelect />
        <HelpMenu />
        <AccountMenu />
      </header>
      <Content>{hasPages ? <Outlet /> : <MissingTenantPage />}</Content>
      <Suspense>{hasPages && menuOpened && <MenuDrawer onClose={menu.close} />}</Suspense>
    </div>
  );
}

/** The page. The element outlives it, because the focus may be on it, but each page begins at its top. */
function Content({ children }: { readonly children: ReactNode }) {
  const page = usePage();
  const content = useRef<HTMLElement>(null);
  const shown = useRef(page);
  useLayoutEffect(() => {
    if (shown.current !== page) content.current?.scrollTo(0, 0);
    shown.current = page;
  }, [page]);
  useLeftPosition(content, page);
  return (
    <main ref={content} id="content" className={styles.content} tabIndex={-1}>
      {children}
    </main>
  );
}

/** Returns the address of the page. A list and an entry beside it are one page. */
function usePage(): string {
  return useMatches({
    select: (matches) => {
      const tenant = matches.findIndex(({ routeId }) => routeId === '/inside/t/$tenant');
      return (matches[tenant + 1] ?? matches.at(-1))?.pathname ?? '';
    },
  });
}
