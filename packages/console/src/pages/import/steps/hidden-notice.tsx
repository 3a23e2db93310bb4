import type { HiddenInSheet } from '@fieldroster/tables';
import { Alert, Text } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { useTexts } from '../../../i18n/texts.ts';

/** Says that the import includes rows that a spreadsheet program does not show. */
export function HiddenNotice({ hidden }: { readonly hidden: HiddenInSheet | undefined }) {
  const { importTexts } = useTexts();
  if (hidden === undefined) return null;
  const { sheet, isWholeSheet, rows } = hidden;
  return (
    <Alert color="yellow" variant="light" role="note" icon={<IconEyeOff size="1.125rem" />}>
      <Text size="sm">
        {isWholeSheet ? importTexts.hiddenSheet(sheet, rows) : importTexts.hiddenRows(sheet, rows)}
      </Text>
    </Alert>
  );
}
