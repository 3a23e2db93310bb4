import { Button } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../i18n/texts.ts';
import { useTenant } from './use-tenant.ts';

/** Leads to the import of stores, organizations or roles. */
export function ImportButton({ of }: { readonly of: 'stores' | 'orgs' | 'roles' }) {
  const { importTexts } = useTexts();
  const tenant = useTenant();
  return (
    <Button
      component={Link}
      to={`/t/${tenant}/import?of=${of}`}
      variant="default"
      leftSection={<IconFileImport size={14} />}
      visibleFrom="xs"
    >
      {importTexts.open}
    </Button>
  );
}
