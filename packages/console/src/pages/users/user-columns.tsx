import { consoleLimits } from '@fieldroster/contract/console-limits';
import { Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import type { Column } from '../../parts/data-table/data-table.tsx';
import { RelativeTime } from '../../parts/values/relative-time.tsx';
import { StatusDot } from '../../parts/values/status-dot.tsx';
import { useNumberFormat } from '../../parts/values/use-number-format.ts';
import type { ListedUser } from './user-list-query.ts';
import { UserRowMenu } from './user-row-menu.tsx';
import type { UserSearch } from './user-search.ts';

/** The columns that can be shown beside the name, in their order. */
export const userColumnKeys = [
  'role',
  'org',
  'stores',
  'phone',
  'email',
  'department',
  'nickname',
  'code',
  'id',
  'status',
  'created',
  'updated',
] as const;

export type UserColumnKey = (typeof userColumnKeys)[number];

const shownAtFirst: readonly UserColumnKey[] = ['role', 'org', 'stores', 'phone', 'status', 'updated'];

const storageKey = 'fieldroster-user-columns';

/** The columns that the reader chose, which this browser remembers. */
export function useShownColumns() {
  const [shown, setShown] = useState(readShown);
  const toggle = (key: UserColumnKey) => {
    const next = userColumnKeys.filter((one) => shown.includes(one) !== (one === key));
    localStorage.setItem(storageKey, JSON.stringify(next));
    setShown(next);
  };
  return { shown, toggle };
}

function readShown(): readonly UserColumnKey[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null');
    if (Array.isArray(stored)) return userColumnKeys.filter((key) => stored.includes(key));
  } catch {
    // Another program's value counts as none.
  }
  return shownAtFirst;
}

/** Returns the names of the columns. */
export function useColumnTitles(): Readonly<Record<UserColumnKey, string>> {
  const { users, general } = useTexts();
  return useMemo(
    () => ({
      role: users.role,
      org: users.org,
      stores: users.stores,
      phone: users.fields.phone,
      email: users.fields.email,
      department: users.fields.department,
      nickname: users.fields.nickname,
      code: users.fields.unique_code,
      id: 'ID',
      status: general.status,
      created: general.createdAt,
      updated: general.updatedAt,
    }),
    [users, general],
  );
}

/** Returns the columns of the table: the name, those that were chosen, and the actions. */
export function useUserColumns(shown: readonly UserColumnKey[], search: UserSearch): Column<ListedUser>[] {
  const { users } = useTexts();
  const titles = useColumnTitles();
  const makers = useMakers();
  return useMemo(
    () => [
      {
        key: 'name',
        title: users.fields.real_name,
        width: 'minmax(9.375rem, 1.4fr)',
        cell: (user) => <Name user={user} />,
      },
      ...shown.map((key) => ({ key, title: titles[key], ...makers[key] })),
      {
        key: 'actions',
        title: '',
        width: '1.75rem',
        narrowPlace: 'end',
        isActions: true,
        cell: (user) => <UserRowMenu user={user} search={search} />,
      },
    ],
    [users, titles, makers, shown, search],
  );
}

type Maker = Omit<Column<ListedUser>, 'key' | 'title'>;

function useMakers(): Readonly<Record<UserColumnKey, Maker>> {
  const { general } = useTexts();
  return useMemo(() => {
    const plain = (width: string, cell: Maker['cell']): Maker => ({ width, cell });
    return {
      role: plain('minmax(9.375rem, 1.2fr)', ({ roles }) => roles[0]?.name ?? <Quiet />),
      org: plain('minmax(8.125rem, 1.2fr)', ({ orgs }) => orgs[0]?.name ?? <Quiet />),
      stores: {
        width: '3.5rem',
        narrowPlace: 'start',
        isNumber: true,
        needsTitle: true,
        cell: ({ store_count }) => <StoreCount count={store_count} />,
      },
      phone: { width: '8.75rem', narrowPlace: 'side', cell: ({ phone }) => phone || <Quiet /> },
      email: plain('minmax(10rem, 1.4fr)', ({ email }) => email || <Quiet />),
      department: plain('minmax(6.875rem, 1fr)', ({ department }) => department || <Quiet />),
      nickname: plain('minmax(6.25rem, 1fr)', ({ nickname }) => nickname || <Quiet />),
      code: {
        width: 'minmax(5rem, 0.5fr)',
        isCode: true,
        cell: ({ unique_code }) => unique_code || <Quiet />,
      },
      id: { width: '5.625rem', isNumber: true, isCode: true, needsTitle: true, cell: ({ id }) => String(id) },
      status: {
        width: '5.25rem',
        narrowPlace: 'side',
        cell: ({ status }) => (
          <StatusDot tone={status === 'active' ? 'good' : 'off'} word={general[status]} />
        ),
      },
      created: {
        width: '5.75rem',
        narrowPlace: 'none',
        isNumber: true,
        cell: ({ created_at }) => <Time at={created_at} />,
      },
      updated: {
        width: '5.75rem',
        narrowPlace: 'none',
        isNumber: true,
        cell: ({ updated_at }) => <Time at={updated_at} />,
      },
    };
  }, [general]);
}

function Name({ user: { real_name, username } }: { readonly user: ListedUser }) {
  return (
    <Stack gap={0}>
      <Text size="sm" fw={600} truncate dir="auto">
        {real_name || username}
      </Text>
      <Text size="xs" c="dimmed" truncate dir="auto">
        {username}
      </Text>
    </Stack>
  );
}

const { countedStoresMax } = consoleLimits;

function StoreCount({ count }: { readonly count: number }) {
  const format = useNumberFormat();
  if (count === 0) return <Quiet />;
  return count > countedStoresMax ? `${format(countedStoresMax)}+` : format(count);
}

function Time({ at }: { readonly at: ListedUser['updated_at'] }) {
  return (
    <Text span inherit c="dimmed">
      <RelativeTime at={at} />
    </Text>
  );
}

function Quiet() {
  return (
    <Text span c="dimmed" data-none>
      –
    </Text>
  );
}
