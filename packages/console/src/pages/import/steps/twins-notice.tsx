import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTexts } from '../../../i18n/texts.ts';
import type { RowOutcome } from '../job/import-job.ts';

const namedMax = 3;

/** Warns of new stores whose code differs from another one in case only. They may be meant, so they are imported. */
export function TwinsNotice({ rows }: { readonly rows: readonly RowOutcome[] }) {
  const { importTexts } = useTexts();
  const pairs = rows.flatMap(({ key, line, twin }) =>
    twin === undefined ? [] : [importTexts.twinAt(key, line, importTexts.twinOf(twin.code, twin.line))],
  );
  if (pairs.length === 0) return null;
  const named = pairs.slice(0, namedMax);
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconAlertTriangle size="1.125rem" />}
      title={importTexts.twins(pairs.length)}
    >
      {importTexts.twinsHelp(named.join(importTexts.betweenTwins), pairs.length - named.length)}
    </Alert>
  );
}
