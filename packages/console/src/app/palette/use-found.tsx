import { IconBuildingStore, IconKey, IconUser } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { storeSearchQuery } from '../../api/store-search-query.ts';
import { useCanChange } from '../../api/use-can-change.ts';
import { nameOf, userSearchQuery } from '../../api/user-search-query.ts';
import { useTexts } from '../../i18n/texts.ts';
import { applicationsQuery } from '../../pages/applications/applications-query.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import { pages, tasks } from '../shell/navigation.tsx';

/** One thing that the palette leads to. */
export interface FoundEntry {
  readonly key: string;
  readonly name: string;
  readonly detail?: string;
  readonly icon: ReactNode;
  readonly open: () => void;
}

export interface FoundGroup {
  readonly label: string;
  readonly entries: readonly FoundEntry[];
}

interface Found {
  readonly groups: readonly FoundGroup[];
  readonly isSearching: boolean;
}

/** Results shown of each kind; more users would push stores and applications out of sight. */
const entriesShown = 5;

/** Returns what matches the typed text; without a text, the pages. */
export function useFound(opened: boolean, typed: string): Found {
  const { navigation, palette } = useTexts();
  const users = useUsers(opened, typed);
  const stores = useStores(opened, typed);
  const applications = useApplications(opened, typed);
  const groups = [
    { label: navigation.users, entries: users.entries },
    { label: navigation.stores, entries: stores.entries },
    { label: navigation.applications, entries: applications.entries },
    { label: palette.pages, entries: usePages(typed) },
  ];
  return {
    groups: groups.filter(({ entries }) => entries.length > 0),
    isSearching: [users, stores, applications].some(({ isSearching }) => isSearching),
  };
}

function useUsers(opened: boolean, typed: string) {
  const tenant = useTenant();
  const navigate = useNavigate();
  const isEnabled = opened && typed !== '';
  const { data = [], isFetching } = useQuery({ ...userSearchQuery(tenant, typed), enabled: isEnabled });
  const entries = data.slice(0, entriesShown).map(
    (user): FoundEntry => ({
      key: `user ${user.id}`,
      name: nameOf(user),
      detail: [user.username, user.orgs[0]?.name, user.phone].filter(Boolean).join(' · '),
      icon: <IconUser size={16} stroke={1.5} />,
      open: () =>
        navigate({
          to: '/t/$tenant/users/$user',
          params: { tenant: String(tenant), user: String(user.id) },
        }),
    }),
  );
  return { entries: isEnabled ? entries : [], isSearching: isEnabled && isFetching };
}

function useStores(opened: boolean, typed: string) {
  const tenant = useTenant();
  const navigate = useNavigate();
  const isEnabled = opened && typed !== '';
  const { data = [], isFetching } = useQuery({
    ...storeSearchQuery(tenant, typed),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  });
  const entries = data.slice(0, entriesShown).map(
    ({ code, name, address }): FoundEntry => ({
      key: `store ${code}`,
      name,
      detail: [code, address].filter(Boolean).join(' · '),
      icon: <IconBuildingStore size={16} stroke={1.5} />,
      open: () =>
        navigate({ to: '/t/$tenant/stores/$store', params: { tenant: String(tenant), store: code } }),
    }),
  );
  return { entries: isEnabled ? entries : [], isSearching: isEnabled && isFetching };
}

function useApplications(opened: boolean, typed: string) {
  const tenant = useTenant();
  const navigate = useNavigate();
  const isEnabled = opened && typed !== '';
  const { data = [], isLoading } = useQuery({ ...applicationsQuery(tenant), enabled: isEnabled });
  if (!isEnabled) return { entries: [], isSearching: false };
  const entries = data
    .filter(({ name, app_id }) => includes(name, typed) || includes(app_id, typed))
    .slice(0, entriesShown)
    .map(
      ({ name, app_id }): FoundEntry => ({
        key: `application ${app_id}`,
        name,
        detail: app_id,
        icon: <IconKey size={16} stroke={1.5} />,
        open: () =>
          navigate({
            to: '/t/$tenant/applications/$application',
            params: { tenant: String(tenant), application: app_id },
          }),
      }),
    );
  return { entries, isSearching: isLoading };
}

function usePages(typed: string): FoundEntry[] {
  const { navigation } = useTexts();
  const tenant = String(useTenant());
  const navigate = useNavigate();
  const canChange = useCanChange();
  return [...pages, ...(canChange ? tasks : [])]
    .filter(({ key }) => includes(navigation[key], typed))
    .map(({ key, path, icon: Icon }) => ({
      key: `page ${key}`,
      name: navigation[key],
      icon: <Icon size={16} stroke={1.5} />,
      open: () => navigate({ to: path, params: { tenant } }),
    }));
}

function includes(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
