import { Skeleton, Stack } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ColumnsStep } from './columns-step.tsx';
import { FileStep } from './file-step.tsx';
import type { ImportStep } from './import-job.ts';
import styles from './import-page.module.css';
import { ImportSteps } from './import-steps.tsx';
import { PreviewStep } from './preview-step.tsx';
import { ResultStep } from './result-step.tsx';
import { RunningStep } from './running-step.tsx';
import { useImport } from './use-import.ts';

/** Imports users, stores, organizations or roles from a file in four steps: file, columns, preview, result. */
export function ImportPage() {
  const { importTexts } = useTexts();
  const { job, show, change, begin, discard } = useImport();
  const { of: chosen = 'users' } = useSearch({ from: '/inside/t/$tenant/import' });
  const navigate = useNavigate();
  const { data, isPending, isError, error } = job;
  const content = useFocusOnStep(data?.step);
  return (
    <>
      <PageHeader title={importTexts.titles[data?.kind ?? chosen]} />
      <Stack gap="md">
        <ImportSteps step={data?.step} />
        {isError && <FailureNotice error={error} />}
        {isPending && <Skeleton height={240} />}
        <div ref={content} tabIndex={-1} className={styles.content}>
          {data === null && (
            <FileStep
              kind={chosen}
              onKind={(kind) => navigate({ to: '.', search: { of: kind }, replace: true })}
              onChoose={(file) => begin(chosen, file)}
            />
          )}
          {data?.step === 'columns' && (
            <ColumnsStep key={data.fileName} job={data} onChange={change} onDiscard={discard} />
          )}
          {data?.step === 'preview' && <PreviewStep job={data} onChange={change} onDiscard={discard} />}
          {data?.step === 'running' && <RunningStep job={data} onProgress={show} />}
          {data?.step === 'done' && <ResultStep job={data} onAgain={discard} />}
        </div>
      </Stack>
    </>
  );
}

/** Takes the focus to the content of a step when the button that led there is gone. */
function useFocusOnStep(step: ImportStep | undefined) {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (step !== undefined && document.activeElement === document.body) content.current?.focus();
  }, [step]);
  return content;
}
