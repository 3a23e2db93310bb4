import { Button, Menu } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../i18n/texts.ts';
import { useTenant } from '../use-tenant.ts';
import { NarrowMenu } from './narrow-menu.tsx';

/** Leads to the import of stores, organizations or roles: by a button, or on a phone by a menu. */
export function ImportButton({ of }: { readonly of: 'stores' | 'orgs' | 'roles' }) {
  const { importTexts } = useTexts();
  const tenant = useTenant();
  const to = `/t/${tenant}/import?of=${of}`;
  return (
    <>
      <Button
        component={Link}
        to={to}
        variant="default"
        leftSection={<IconFileImport size="0.875rem" />}
        visibleFrom="xs"
      >
        {importTexts.open}
      </Button>
      <NarrowMenu hiddenFrom="xs">
        <Menu.Item component={Link} to={to}>
          {importTexts.open}
        </Menu.Item>
      </NarrowMenu>
    </>
  );
}
