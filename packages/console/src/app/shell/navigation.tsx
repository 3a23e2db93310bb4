import {
  IconArrowsLeftRight,
  IconBuildingStore,
  IconFileImport,
  IconHierarchy,
  IconHistory,
  IconId,
  IconKey,
  IconLayoutDashboard,
  IconListDetails,
  IconSettings,
  IconSignature,
  IconUsers,
} from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { useTexts } from '../../i18n/texts.ts';
import { readImportSearch } from '../../pages/import/import-search.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import styles from './shell.module.css';

/** The pages about the content of the directory. */
const directoryPages = [
  { key: 'overview', path: '/t/$tenant', icon: IconLayoutDashboard },
  { key: 'users', path: '/t/$tenant/users', icon: IconUsers },
  { key: 'stores', path: '/t/$tenant/stores', icon: IconBuildingStore },
  { key: 'orgs', path: '/t/$tenant/orgs', icon: IconHierarchy },
  { key: 'roles', path: '/t/$tenant/roles', icon: IconId },
] as const;

/** Who calls it, what changed in it, and how it is run. */
const operationPages = [
  { key: 'applications', path: '/t/$tenant/applications', icon: IconKey },
  { key: 'requests', path: '/t/$tenant/requests', icon: IconListDetails },
  { key: 'audit', path: '/t/$tenant/audit', icon: IconHistory },
  { key: 'signatureLab', path: '/t/$tenant/lab', icon: IconSignature },
  { key: 'settings', path: '/t/$tenant/settings', icon: IconSettings },
] as const;

/** The pages, in the order of the navigation. */
export const pages = [...directoryPages, ...operationPages] as const;

/** The actions that the palette offers in addition to the pages. */
export const tasks = [
  { key: 'importUsers', path: '/t/$tenant/import', icon: IconFileImport },
  { key: 'moveStores', path: '/t/$tenant/move-stores', icon: IconArrowsLeftRight },
] as const;

interface Props {
  readonly onNavigate?: (() => void) | undefined;
}

export function Navigation({ onNavigate }: Props) {
  const { navigation } = useTexts();
  return (
    <nav aria-label={navigation.main}>
      <PageLinks of={directoryPages} onNavigate={onNavigate} />
      <hr className={styles.rule} />
      <PageLinks of={operationPages} onNavigate={onNavigate} />
    </nav>
  );
}

const here = { 'data-here': true };

interface PageLinksProps {
  readonly of: readonly (typeof pages)[number][];
  readonly onNavigate: Props['onNavigate'];
}

function PageLinks({ of, onNavigate }: PageLinksProps) {
  const { navigation } = useTexts();
  const tenant = String(useTenant());
  const parent = useParentPage(tenant);
  return of.map((page) => (
    <Link
      key={page.key}
      to={page.path}
      params={{ tenant }}
      // The address of the overview is the start of all others.
      activeOptions={{ exact: page.key === 'overview', includeSearch: false }}
      className={styles.link}
      activeProps={here}
      {...(page.path === parent && here)}
      onClick={onNavigate}
    >
      <page.icon size="1rem" stroke={1.5} aria-hidden="true" />
      {navigation[page.key]}
    </Link>
  ));
}

/** Returns the page from which the task that is open starts. The tasks have no place of their own in the navigation. */
function useParentPage(tenant: string): string | undefined {
  const { pathname, search } = useLocation();
  if (pathname === `/t/${tenant}/move-stores`) return '/t/$tenant/users';
  if (pathname === `/t/${tenant}/import`) return `/t/$tenant/${readImportSearch(search).of ?? 'users'}`;
  return undefined;
}
