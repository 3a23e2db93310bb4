import { useNavigate } from '@tanstack/react-router';
import type { FoundStore } from '../../api/store-search-query.ts';
import { useTexts } from '../../i18n/texts.ts';
import { RowMenu } from '../../parts/page/row-menu.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import type { StoreSearch } from './store-search.ts';

interface Props {
  readonly store: FoundStore;
  readonly search: StoreSearch;
}

/** Leads from a store to related pages, without opening it first. */
export function StoreRowMenu({ store: { code, name }, search }: Props) {
  const { general, targetsPages } = useTexts();
  const tenant = String(useTenant());
  const navigate = useNavigate();
  return (
    <RowMenu
      of={name}
      items={[
        {
          label: general.fullPage,
          run: () =>
            navigate({
              to: '/t/$tenant/stores/$store',
              params: { tenant, store: code },
              search: { ...search, view: 'page' },
            }),
        },
        {
          label: targetsPages.roles.showUsers,
          run: () => navigate({ to: '/t/$tenant/users', params: { tenant }, search: { store: code } }),
        },
      ]}
    />
  );
}
