import { Button, Group, Select, SimpleGrid, Skeleton, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { hashKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { failedCallQuery } from '../../api/failed-call-query.ts';
import { useTexts } from '../../i18n/texts.ts';
import { FailureNotice } from '../../parts/notices/failure-notice.tsx';
import { notifyWithUndo } from '../../parts/notices/notify-with-undo.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { explainRequest, type PastedRequest } from './explain-request.ts';
import styles from './lab.module.css';
import { LabResult } from './lab-result.tsx';
import { toRecordedRequest } from './recorded-request.ts';

const empty: PastedRequest = { method: 'GET', url: '', headers: '', body: '', signedString: '' };

const example: PastedRequest = {
  method: 'POST',
  url: '/user?b=2&a=x%20y',
  headers: 'Timestamp: 1767225600\nNonce: 3f2c9a4e-example',
  body: '{"username":"ada"}',
  signedString: 'post\n1767225600\n3f2c9a4e-example\n/user?a=x y&b=2',
};

/** Shows how a request is signed, stage by stage, and where the caller's string first differs. */
export function LabPage() {
  const { request } = useSearch({ from: '/inside/t/$tenant/lab' });
  if (request === undefined) return <Lab initial={empty} />;
  return <LabOfRequest key={request} requestId={request} />;
}

/** Starts with the recorded parts of a failed request. */
function LabOfRequest({ requestId }: { readonly requestId: string }) {
  const { lab, requests } = useTexts();
  const tenant = useTenant();
  // A recorded request never changes, so it is loaded once, and nothing disturbs what the operator types.
  const { data, error, isPending, refetch } = useQuery({
    ...failedCallQuery(tenant, requestId),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (isPending) return <Skeleton height={320} />;
  // If another request for it fails, the form stays as it is.
  if (data === undefined) return <FailureNotice error={error} onRetry={() => refetch()} />;
  if (data.call === undefined) return <Lab initial={empty} notes={[requests.notFound]} />;
  const { pasted, lacksBody, lacksValues } = toRecordedRequest(data.call);
  const notes = [
    lab.recorded(requestId),
    ...(lacksBody ? [lab.lacksBody] : []),
    ...(lacksValues ? [lab.lacksValues] : []),
  ];
  return <Lab initial={pasted} notes={notes} />;
}

interface LabProps {
  readonly initial: PastedRequest;
  /** Where the request comes from, and what to add. */
  readonly notes?: readonly string[];
}

function Lab({ initial, notes = [] }: LabProps) {
  const { general, lab } = useTexts();
  const [pasted, setPasted] = useKeptText(initial);
  const change = (part: Partial<PastedRequest>) => setPasted({ ...pasted, ...part });
  const fillIn = () => {
    setPasted(example);
    if (pasted === initial || pasted === example) return;
    const undo = async () => setPasted(pasted);
    notifyWithUndo({ keys: ['lab'], message: lab.exampleFilledIn, undoText: general.undo, undo });
  };
  return (
    <>
      <PageHeader title={lab.title}>
        <Button variant="default" onClick={fillIn}>
          {lab.example}
        </Button>
      </PageHeader>
      <Text c="dimmed" mb="md" maw={720}>
        {notes.length === 0 ? lab.help : notes.join(general.sentenceGap)}
      </Text>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Form pasted={pasted} onChange={change} />
        <section className={styles.result} aria-label={lab.result} aria-live="polite">
          {pasted.url === '' ? (
            <Text c="dimmed" className={styles.empty ?? ''}>
              {lab.empty}
            </Text>
          ) : (
            <LabResult explained={explainRequest(pasted)} hasSigned={pasted.signedString !== ''} />
          )}
        </section>
      </SimpleGrid>
    </>
  );
}

/** Keeps what is typed while its operator looks at other pages, such as the request that it is about. */
function useKeptText(initial: PastedRequest) {
  const client = useQueryClient();
  const { request } = useSearch({ from: '/inside/t/$tenant/lab' });
  const queryKey = ['lab-text', String(useTenant()), request];
  const queryHash = hashKey(queryKey);
  const [text, setText] = useState(() => client.getQueryData<PastedRequest>(queryKey) ?? initial);
  const keep = (next: PastedRequest) => {
    setText(next);
    client.setQueryDefaults(queryKey, { gcTime: Number.POSITIVE_INFINITY, structuralSharing: false });
    client.setQueryData(queryKey, next);
  };
  // An example that was filled in before the look at another page may be undone now.
  useEffect(
    () =>
      client.getQueryCache().subscribe(({ query }) => {
        const kept =
          query.queryHash === queryHash ? (query.state.data as PastedRequest | undefined) : undefined;
        if (kept !== undefined) setText(kept);
      }),
    [client, queryHash],
  );
  return [text, keep] as const;
}

interface FormProps {
  readonly pasted: PastedRequest;
  readonly onChange: (part: Partial<PastedRequest>) => void;
}

function Form({ pasted, onChange }: FormProps) {
  const { lab } = useTexts();
  const lacksValues = pasted.url.includes('…');
  const area = (name: 'headers' | 'body' | 'signedString', minRows: number) => ({
    label: lab[name],
    autosize: true,
    minRows,
    maxRows: 12,
    spellCheck: false,
    classNames: { input: styles.code ?? '' },
    value: pasted[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange({ [name]: currentTarget.value }),
  });
  return (
    <Stack gap="sm">
      <Group gap="xs" wrap="nowrap" align="flex-end">
        <Select
          w={110}
          label={lab.method}
          allowDeselect={false}
          data={['GET', 'POST', 'PUT', 'DELETE']}
          value={pasted.method}
          onChange={(method) => onChange({ method: method ?? 'GET' })}
        />
        <TextInput
          className={styles.grow ?? ''}
          classNames={{ input: styles.code ?? '' }}
          label={lab.url}
          placeholder="/user?username=ada"
          spellCheck={false}
          autoComplete="off"
          value={pasted.url}
          error={lacksValues}
          onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
        />
      </Group>
      <Textarea {...area('headers', 3)} placeholder={'Timestamp: 1767225600\nNonce: …'} />
      <Textarea {...area('body', 3)} />
      <Textarea {...area('signedString', 5)} description={lab.signedStringHelp} />
    </Stack>
  );
}
