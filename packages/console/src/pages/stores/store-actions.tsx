import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { callDirectory, type DirectoryResult } from '../../api/call.ts';
import { useCanChange } from '../../api/use-can-change.ts';
import { useInvalidate } from '../../api/use-invalidate.ts';
import { useTexts } from '../../i18n/texts.ts';
import { EditForm } from '../../parts/fields/edit-form.tsx';
import { notifyDone } from '../../parts/notices/notify.ts';
import { closeOffersAbout } from '../../parts/notices/notify-with-undo.tsx';
import { RemoveTarget } from '../../parts/page/remove-target.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { useStoreFields } from './use-store-fields.ts';

interface Props {
  readonly store: DirectoryResult<'queryStore'>;
  readonly onRemoved: () => void;
}

/** The buttons that edit and remove a store, for somebody who may. */
export function StoreActions({ store, onRemoved }: Props) {
  const { stores: texts } = useTexts().targetsPages;
  const tenant = useTenant();
  const canChange = useCanChange();
  const [editing, edit] = useDisclosure(false);
  const [removing, remove] = useDisclosure(false);
  if (!canChange) return null;
  return (
    <Group gap="xs">
      <Button variant="default" onClick={edit.open}>
        {texts.edit}
      </Button>
      <Button variant="default" c="var(--fr-danger)" onClick={remove.open}>
        {texts.remove}
      </Button>
      {editing && <EditStore store={store} onClose={edit.close} />}
      {removing && (
        <RemoveTarget
          title={texts.remove}
          name={store.code}
          assigned={{ store_code: store.code }}
          remove={async (force) => {
            await callDirectory('deleteStore', tenant, { code: store.code, ...(force && { force }) });
            closeOffersAbout(`store ${store.code}`);
          }}
          done={texts.removed(store.name)}
          staleKeys={['stores', 'user', 'users', 'user-stores']}
          onRemoved={onRemoved}
          onClose={remove.close}
        />
      )}
    </Group>
  );
}

interface EditProps {
  readonly store: Props['store'];
  readonly onClose: () => void;
}

function EditStore({ store, onClose }: EditProps) {
  const { general, targetsPages } = useTexts();
  const { stores: texts } = targetsPages;
  const { name, address } = useStoreFields();
  // The page may meanwhile show a later revision, which the values in the form do not follow.
  const [{ code, revision }] = useState(store);
  const tenant = useTenant();
  const invalidate = useInvalidate();
  return (
    <EditForm
      title={texts.edit}
      action={general.save}
      fields={[name, address]}
      initial={{ name: store.name, address: store.address }}
      save={(values) => callDirectory('updateStore', tenant, { code, if_revision: revision, ...values })}
      onSaved={({ name }) => {
        invalidate('store', 'stores', 'user-stores');
        notifyDone(texts.saved(name));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
