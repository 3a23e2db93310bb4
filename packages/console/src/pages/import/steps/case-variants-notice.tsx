import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Children, Fragment } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import styles from '../import-page.module.css';
import type { RowOutcome } from '../job/import-job.ts';

const namedMax = 3;

/** Warns of new stores whose code differs from another one in case only. They may be meant, so they are imported. */
export function CaseVariantsNotice({ rows }: { readonly rows: readonly RowOutcome[] }) {
  const { importTexts } = useTexts();
  const variants = rows.filter(({ caseVariant }) => caseVariant !== undefined);
  if (variants.length === 0) return null;
  const named = variants.slice(0, namedMax);
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconAlertTriangle size="1.125rem" />}
      title={importTexts.variants(variants.length)}
    >
      {named.map((row, index) => (
        <Fragment key={row.line}>
          {index > 0 && importTexts.betweenVariants}
          <Variant row={row} />
        </Fragment>
      ))}
      {importTexts.variantsHelp(variants.length, variants.length - named.length)}
    </Alert>
  );
}

function Variant({ row: { key, line, caseVariant } }: { readonly row: RowOutcome }) {
  const { importTexts } = useTexts();
  if (caseVariant === undefined) return null;
  const { code, line: otherLine } = caseVariant;
  return Children.toArray(importTexts.variantAt(<Code code={key} />, line, <Code code={code} />, otherLine));
}

/** Stays on one line: browsers would break a code after its hyphen. */
function Code({ code }: { readonly code: string }) {
  return <span className={styles.storeCode}>{code}</span>;
}
