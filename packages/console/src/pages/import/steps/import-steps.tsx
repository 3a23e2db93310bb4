import { useTexts } from '../../../i18n/texts.ts';
import styles from '../import-page.module.css';
import type { ImportStep } from '../job/import-job.ts';

interface Props {
  /** `undefined` while there is no file. */
  readonly step: ImportStep | undefined;
}

const order = ['file', 'columns', 'preview', 'done'] as const;

/** The four steps, and which of them it is. */
export function ImportSteps({ step }: Props) {
  const { importTexts } = useTexts();
  const current = step === 'running' || step === 'stopped' ? 'done' : (step ?? 'file');
  return (
    <ol className={styles.steps}>
      {order.map((name) => (
        <li key={name} aria-current={name === current ? 'step' : undefined}>
          {importTexts.steps[name]}
        </li>
      ))}
    </ol>
  );
}
