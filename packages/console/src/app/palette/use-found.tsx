import { IconBuildingStore, IconKey, IconSettings, IconUser } from '@tabler/icons-react';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { applicationsQuery } from '../../api/applications-query.ts';
import { storeSearchQuery } from '../../api/store-search-query.ts';
import { useCanChange } from '../../api/use-can-change.ts';
import { nameOf, userSearchQuery } from '../../api/user-search-query.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useSectionGroups } from '../../pages/settings/settings-sections.ts';
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
  /** Whether a search ended before it had looked at everything. */
  readonly isCutShort: boolean;
  /** Tries the failed searches again; absent if none failed. */
  readonly retry?: () => void;
}

/** How many results of each kind are shown. More users would push stores and applications out of sight. */
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
    { label: palette.pages, entries: [...usePages(typed), ...useSettings(typed)] },
  ];
  const failed = [users, stores, applications].filter(({ hasFailed }) => hasFailed);
  return {
    groups: groups.filter(({ entries }) => entries.length > 0),
    isCutShort: [users, stores].some(({ isCutShort }) => isCutShort),
    isSearching: [users, stores, applications].some(({ isSearching }) => isSearching),
    ...(failed.length > 0 && {
      retry() {
        for (const { refetch } of failed) refetch();
      },
    }),
  };
}

function useUsers(opened: boolean, typed: string) {
  const tenant = useTenant();
  const navigate = useNavigate();
  const isEnabled = opened && typed !== '';
  const query = useQuery({ ...userSearchQuery(tenant, typed), enabled: isEnabled });
  const found = query.data?.entries ?? [];
  const entries = found.slice(0, entriesShown).map(
    (user): FoundEntry => ({
      key: `user ${user.id}`,
      name: nameOf(user),
      detail: [user.username, user.orgs[0]?.name, user.phone].filter(Boolean).join(' · '),
      icon: <IconUser size="1rem" stroke={1.5} />,
      open: () =>
        navigate({
          to: '/t/$tenant/users/$user',
          params: { tenant: String(tenant), user: String(user.id) },
        }),
    }),
  );
  const isCutShort = isEnabled && found.length < entriesShown && query.data?.isCutShort === true;
  return { ...toFound(entries, query, isEnabled), isCutShort };
}

function useStores(opened: boolean, typed: string) {
  const tenant = useTenant();
  const navigate = useNavigate();
  const isEnabled = opened && typed !== '';
  const query = useQuery({
    ...storeSearchQuery(tenant, typed),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  });
  const found = query.data?.entries ?? [];
  const entries = found.slice(0, entriesShown).map(
    ({ code, name, address }): FoundEntry => ({
      key: `store ${code}`,
      name,
      detail: [code, address].filter(Boolean).join(' · '),
      icon: <IconBuildingStore size="1rem" stroke={1.5} />,
      open: () =>
        navigate({ to: '/t/$tenant/stores/$store', params: { tenant: String(tenant), store: code } }),
    }),
  );
  const isCutShort = isEnabled && found.length < entriesShown && query.data?.isCutShort === true;
  return { ...toFound(entries, query, isEnabled), isCutShort };
}

function useApplications(opened: boolean, typed: string) {
  const tenant = useTenant();
  const navigate = useNavigate();
  const isEnabled = opened && typed !== '';
  const query = useQuery({ ...applicationsQuery(tenant), enabled: isEnabled });
  const { data = [] } = query;
  const entries = data
    .filter(({ name, app_id }) => includes(name, typed) || includes(app_id, typed))
    .slice(0, entriesShown)
    .map(
      ({ name, app_id }): FoundEntry => ({
        key: `application ${app_id}`,
        name,
        detail: app_id,
        icon: <IconKey size="1rem" stroke={1.5} />,
        open: () =>
          navigate({
            to: '/t/$tenant/applications/$application',
            params: { tenant: String(tenant), application: app_id },
          }),
      }),
    );
  return toFound(entries, query, isEnabled);
}

/** Returns the entries found and the state of the search. A disabled search, before anything is typed, has neither. */
function toFound(
  entries: readonly FoundEntry[],
  { data, error, isFetching, isPlaceholderData, refetch }: UseQueryResult,
  isEnabled: boolean,
) {
  return {
    entries: isEnabled ? entries : [],
    isSearching: isEnabled && isFetching && (data === undefined || isPlaceholderData),
    hasFailed: isEnabled && error !== null && data === undefined && !isFetching,
    refetch,
  };
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
      icon: <Icon size="1rem" stroke={1.5} />,
      open: () => navigate({ to: path, params: { tenant } }),
    }));
}

/** Returns the sections of the settings. Without a text they would only push the pages apart. */
function useSettings(typed: string): FoundEntry[] {
  const { navigation, settings } = useTexts();
  const tenant = String(useTenant());
  const navigate = useNavigate();
  const sections = useSectionGroups().flatMap((group) => group.sections);
  if (typed === '') return [];
  return sections
    .filter((name) => includes(settings[name].title, typed))
    .map((name) => ({
      key: `settings ${name}`,
      name: settings[name].title,
      detail: navigation.settings,
      icon: <IconSettings size="1rem" stroke={1.5} />,
      open: () => navigate({ to: '/t/$tenant/settings', params: { tenant }, hash: name }),
    }));
}

function includes(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
