import { Button, Skeleton, Stack } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCanChange } from '../../api/use-can-change.ts';
import { useTexts } from '../../i18n/texts.ts';
import { EmptyState } from '../../parts/notices/empty-state.tsx';
import { FailureNotice } from '../../parts/notices/failure-notice.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import styles from './import-page.module.css';
import { useImport } from './job/use-import.ts';
import { ColumnsStep } from './steps/columns-step.tsx';
import { FileStep } from './steps/file-step.tsx';
import { ImportSteps } from './steps/import-steps.tsx';
import { PreviewStep } from './steps/preview-step.tsx';
import { ResultStep } from './steps/result-step.tsx';
import { RunningStep } from './steps/running-step.tsx';
import { StoppedStep } from './steps/stopped-step.tsx';

/** The import, for those who may change what it writes. */
export function ImportPage() {
  return useCanChange() ? <Import /> : <ViewerNotice />;
}

/** Stands in place of the import, whose preview the server refuses to viewers too. */
function ViewerNotice() {
  const { importTexts } = useTexts();
  const tenant = useTenant();
  const { of = 'users' } = useSearch({ from: '/inside/t/$tenant/import' });
  const list = (
    <Button component={Link} to={`/t/${tenant}/${of}`} variant="default">
      {importTexts.showAll[of]}
    </Button>
  );
  return (
    <>
      <PageHeader title={importTexts.titles[of]} />
      <EmptyState title={importTexts.viewer} help={importTexts.viewerHelp} action={list} />
    </>
  );
}

/** Imports users, stores, organizations or roles from a file in four steps: file, columns, preview, result. */
function Import() {
  const { importTexts } = useTexts();
  const { job, show, change, begin, discard: remove, failure } = useImport();
  const { of: chosen = 'users' } = useSearch({ from: '/inside/t/$tenant/import' });
  const navigate = useNavigate();
  const { data, isPending, isError, error } = job;
  const discard = () => {
    if (data) remove(data);
  };
  return (
    <>
      <PageHeader title={importTexts.titles[data?.kind ?? chosen]} />
      <Stack gap="md">
        <ImportSteps step={data?.step} />
        {isError && <FailureNotice error={error} />}
        {failure !== null && <FailureNotice error={failure} />}
        {isPending && <Skeleton height={240} />}
        <div tabIndex={-1} className={styles.content}>
          {data === null && (
            <FileStep
              kind={chosen}
              onKind={(kind) => navigate({ to: '.', search: { of: kind }, replace: true })}
              onChoose={(file) => begin({ kind: chosen, file })}
            />
          )}
          {data?.step === 'columns' && (
            <ColumnsStep
              key={data.id}
              job={data}
              onChange={(next) => change(data, next)}
              onDiscard={discard}
            />
          )}
          {data?.step === 'preview' && (
            <PreviewStep
              job={data}
              onChange={(next, names) => change(data, next, names)}
              onDiscard={discard}
            />
          )}
          {data?.step === 'running' && <RunningStep job={data} onEnd={show} onDiscard={discard} />}
          {data?.step === 'stopped' && <StoppedStep job={data} onContinue={show} onDiscard={discard} />}
          {data?.step === 'done' && <ResultStep job={data} onAgain={discard} />}
        </div>
      </Stack>
    </>
  );
}
