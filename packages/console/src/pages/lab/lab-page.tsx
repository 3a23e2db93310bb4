import { Button, Group, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { explainRequest, type PastedRequest } from './explain-request.ts';
import styles from './lab.module.css';
import { LabResult } from './lab-result.tsx';

const empty: PastedRequest = { method: 'GET', url: '', headers: '', body: '', theirs: '' };

const example: PastedRequest = {
  method: 'POST',
  url: '/user?b=2&a=x%20y',
  headers: 'Timestamp: 1767225600\nNonce: 3f2c9a4e-example',
  body: '{"username":"ada"}',
  theirs: 'post\n1767225600\n3f2c9a4e-example\n/user?a=x y&b=2',
};

/** Shows how a request is signed, stage by stage, and where the caller's string first differs. */
export function LabPage() {
  const { lab } = useTexts();
  const [pasted, setPasted] = useState(empty);
  const change = (part: Partial<PastedRequest>) => setPasted({ ...pasted, ...part });
  return (
    <>
      <PageHeader title={lab.title}>
        <Button variant="default" onClick={() => setPasted(example)}>
          {lab.example}
        </Button>
      </PageHeader>
      <Text c="dimmed" mb="md" maw={720}>
        {lab.help}
      </Text>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Form pasted={pasted} onChange={change} />
        <section className={styles.result} aria-label={lab.result} aria-live="polite">
          {pasted.url === '' ? (
            <Text c="dimmed">{lab.empty}</Text>
          ) : (
            <LabResult explained={explainRequest(pasted)} hasTheirs={pasted.theirs !== ''} />
          )}
        </section>
      </SimpleGrid>
    </>
  );
}

interface FormProps {
  readonly pasted: PastedRequest;
  readonly onChange: (part: Partial<PastedRequest>) => void;
}

function Form({ pasted, onChange }: FormProps) {
  const { lab } = useTexts();
  const area = (name: 'headers' | 'body' | 'theirs', minRows: number) => ({
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
          onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
        />
      </Group>
      <Textarea {...area('headers', 3)} placeholder={'Timestamp: 1767225600\nNonce: …'} />
      <Textarea {...area('body', 3)} />
      <Textarea {...area('theirs', 5)} description={lab.theirsHelp} />
    </Stack>
  );
}
