import { useNavigate } from '@tanstack/react-router';
import { useCanChange } from '../../api/use-can-change.ts';
import { nameOf } from '../../api/user-search-query.ts';
import { useTexts } from '../../i18n/texts.ts';
import { RowMenu } from '../../parts/page/row-menu.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { useStatusChange } from './use-status-change.ts';
import type { ListedUser } from './user-list-query.ts';
import type { UserSearch } from './user-search.ts';

interface Props {
  readonly user: ListedUser;
  readonly search: UserSearch;
}

/** The actions on a user that need no drawer. */
export function UserRowMenu({ user, search }: Props) {
  const { users, general, moveStores } = useTexts();
  const tenant = String(useTenant());
  const navigate = useNavigate();
  const canChange = useCanChange();
  const status = useStatusChange(user);
  const id = String(user.id);
  const next = user.status === 'disabled' ? 'active' : 'disabled';
  const page = {
    label: general.fullPage,
    run: () =>
      navigate({
        to: '/t/$tenant/users/$user',
        params: { tenant, user: id },
        search: { ...search, view: 'page' },
      }),
  };
  const changes = [
    {
      label: moveStores.open,
      run: () => navigate({ to: '/t/$tenant/move-stores', params: { tenant }, search: { from: id } }),
    },
    {
      label: next === 'active' ? users.enable : users.disableUser,
      run: () => status.mutate(next),
    },
  ];
  return <RowMenu of={nameOf(user)} items={canChange ? [page, ...changes] : [page]} />;
}
