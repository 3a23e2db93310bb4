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
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../i18n/texts.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import styles from './shell.module.css';

/** The pages, in the order of the navigation. */
export const pages = [
  { key: 'overview', path: '/t/$tenant', icon: IconLayoutDashboard },
  { key: 'users', path: '/t/$tenant/users', icon: IconUsers },
  { key: 'stores', path: '/t/$tenant/stores', icon: IconBuildingStore },
  { key: 'orgs', path: '/t/$tenant/orgs', icon: IconHierarchy },
  { key: 'roles', path: '/t/$tenant/roles', icon: IconId },
  { key: 'applications', path: '/t/$tenant/applications', icon: IconKey },
  { key: 'requests', path: '/t/$tenant/requests', icon: IconListDetails },
  { key: 'audit', path: '/t/$tenant/audit', icon: IconHistory },
  { key: 'signatureLab', path: '/t/$tenant/lab', icon: IconSignature },
  { key: 'settings', path: '/t/$tenant/settings', icon: IconSettings },
] as const;

/** The actions that the palette offers in addition to the pages. */
export const tasks = [
  { key: 'importUsers', path: '/t/$tenant/import', icon: IconFileImport },
  { key: 'moveStores', path: '/t/$tenant/move-stores', icon: IconArrowsLeftRight },
] as const;

interface Props {
  readonly onNavigate?: () => void;
}

export function Navigation({ onNavigate }: Props) {
  const { navigation } = useTexts();
  const tenant = String(useTenant());
  return (
    <nav aria-label={navigation.main}>
      {pages.map((page) => (
        <Link
          key={page.key}
          to={page.path}
          params={{ tenant }}
          // The address of the overview is the start of all others.
          activeOptions={{ exact: page.key === 'overview', includeSearch: false }}
          className={styles.link}
          onClick={onNavigate}
        >
          <page.icon size={16} stroke={1.5} aria-hidden="true" />
          {navigation[page.key]}
        </Link>
      ))}
    </nav>
  );
}
