import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { orgsQuery, rolesQuery } from '../../../api/directory-lists.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { LoadedSelect } from '../../../parts/fields/loaded-select.tsx';
import { type PickedStore, StorePicker } from '../../../parts/fields/store-picker.tsx';
import { orgOptions, roleOptions } from '../../../parts/fields/target-options.ts';
import { useTenant } from '../../../parts/use-tenant.ts';
import { type BulkAction, noTarget } from './bulk-action.ts';

interface Props {
  readonly action: BulkAction;
  readonly onChoose: (choice: string | undefined) => void;
}

/** Chooses the role, the organization or the store; a status needs no choice. */
export function BulkChoice({ action, onChoose }: Props) {
  if (action === 'role') return <RoleChoice onChoose={onChoose} />;
  if (action === 'org') return <OrgChoice onChoose={onChoose} />;
  if (action === 'addStore' || action === 'removeStore') return <StoreChoice onChoose={onChoose} />;
  return null;
}

type ChoiceProps = Pick<Props, 'onChoose'>;

function RoleChoice({ onChoose }: ChoiceProps) {
  const { users } = useTexts();
  const query = useQuery(rolesQuery(useTenant()));
  return (
    <LoadedSelect
      label={users.role}
      data-autofocus
      query={query}
      options={[{ value: noTarget, label: users.noRole }, ...roleOptions(query.data)]}
      onChange={(value) => onChoose(value ?? undefined)}
    />
  );
}

function OrgChoice({ onChoose }: ChoiceProps) {
  const { users } = useTexts();
  const query = useQuery(orgsQuery(useTenant()));
  return (
    <LoadedSelect
      label={users.org}
      data-autofocus
      searchable
      limit={200}
      query={query}
      options={[{ value: noTarget, label: users.noOrg }, ...orgOptions(query.data)]}
      onChange={(value) => onChoose(value ?? undefined)}
    />
  );
}

function StoreChoice({ onChoose }: ChoiceProps) {
  const { users, bulk } = useTexts();
  const [picked, setPicked] = useState<PickedStore>();
  return (
    <StorePicker
      label={users.store}
      showsLabel
      placeholder={bulk.findStore}
      isFirst
      picked={picked}
      onPick={(store) => {
        setPicked(store);
        onChoose(store?.code);
      }}
    />
  );
}
