import { Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../i18n/texts.ts';
import { useTenant } from '../use-tenant.ts';
import { ImportLink } from './import-link.tsx';
import { type ImportedKind, importPath } from './import-path.ts';
import { NarrowMenu } from './narrow-menu.tsx';

/** Leads to an import: by a button, or on a phone by a menu. */
export function ImportButton({ of }: { readonly of: ImportedKind }) {
  const { importTexts } = useTexts();
  const tenant = useTenant();
  return (
    <>
      <ImportLink of={of} visibleFrom="xs" />
      <NarrowMenu hiddenFrom="xs">
        <Menu.Item component={Link} to={importPath(tenant, of)}>
          {importTexts.open}
        </Menu.Item>
      </NarrowMenu>
    </>
  );
}
