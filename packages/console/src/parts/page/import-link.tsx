import { Button } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../i18n/texts.ts';
import { useTenant } from '../use-tenant.ts';
import { type ImportedKind, importPath } from './import-path.ts';

interface Props {
  readonly of: ImportedKind;
  /** The narrowest screen that has it, if a menu takes its place on others. */
  readonly visibleFrom?: 'xs' | 'sm';
}

/** Leads to the import of users, stores, organizations or roles. */
export function ImportLink({ of, visibleFrom }: Props) {
  const { importTexts } = useTexts();
  return (
    <Button
      component={Link}
      to={importPath(useTenant(), of)}
      variant="default"
      leftSection={<IconFileImport size="0.875rem" />}
      {...(visibleFrom && { visibleFrom })}
    >
      {importTexts.open}
    </Button>
  );
}
