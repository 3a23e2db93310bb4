import { SheetFault, SheetNumber } from '@fieldroster/tables';
import { Button, Group, Select, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { type Texts, useTexts } from '../../../i18n/texts.ts';
import { FailureNotice } from '../../../parts/notices/failure-notice.tsx';
import { ActionBar } from '../../../parts/page/action-bar.tsx';
import { fieldsOf, rememberFields, requiredFieldsOf } from '../file/column-fields.ts';
import { EncodingSelect } from '../file/encoding-select.tsx';
import type { Table as FileTable } from '../file/read-table.ts';
import { isText } from '../file/read-table.ts';
import styles from '../import-page.module.css';
import type { ColumnFields, ImportJob, ImportKind } from '../job/import-job.ts';
import { useTable } from '../job/use-import.ts';
import { HiddenNotice } from './hidden-notice.tsx';

interface Props {
  readonly job: ImportJob;
  readonly onChange: (job: ImportJob) => void;
  readonly onDiscard: () => void;
}

/** Asks what each column is, with a guess. */
export function ColumnsStep({ job, onChange, onDiscard }: Props) {
  const { importTexts } = useTexts();
  const table = useTable(job);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start">
        <div>
          <Text fw={600}>{job.fileName}</Text>
          <Text c="dimmed" size="sm">
            {table.data && sizeOf(job.fileName, table.data, importTexts)}
          </Text>
        </div>
        {isText(job.fileName) && (
          <EncodingSelect value={job.encoding} onChange={(encoding) => onChange({ ...job, encoding })} />
        )}
      </Group>
      <HiddenNotice hidden={table.data?.hidden} />
      {table.isPending && <Skeleton height={240} />}
      {table.isError && <FailureNotice error={table.error} />}
      {table.isError && <DiscardButton onDiscard={onDiscard} />}
      {table.data && (
        <ColumnFieldsForm
          key={job.encoding}
          kind={job.kind}
          table={table.data}
          initial={{ ...table.data.guessed, ...job.fields }}
          onDiscard={onDiscard}
          onDone={(fields) => {
            rememberFields(job.kind, fields);
            onChange({ ...job, fields, step: 'preview' });
          }}
        />
      )}
    </Stack>
  );
}

/** Says how much was read, and what was left out: other sheets, and columns without a name. */
function sizeOf(fileName: string, { names, rows }: FileTable, texts: Texts['importTexts']): string {
  const counted = texts.rows(rows.length);
  const size = isText(fileName) ? counted : texts.ofFirstSheet(counted);
  const unnamed = names.filter(
    (name, column) => name === '' && rows.some(({ values }) => (values[column] ?? '') !== ''),
  );
  return unnamed.length === 0 ? size : `${size} · ${texts.unnamed(unnamed.length)}`;
}

function DiscardButton({ onDiscard }: Pick<Props, 'onDiscard'>) {
  const { importTexts } = useTexts();
  return (
    <Group>
      <Button variant="default" onClick={onDiscard}>
        {importTexts.discard}
      </Button>
    </Group>
  );
}

interface FormProps {
  readonly kind: ImportKind;
  readonly table: FileTable;
  readonly initial: ColumnFields;
  readonly onDone: (fields: ColumnFields) => void;
  readonly onDiscard: () => void;
}

function ColumnFieldsForm({ kind, table, initial, onDone, onDiscard }: FormProps) {
  const { importTexts } = useTexts();
  const [fields, setFields] = useState(initial);
  const chosen = Object.values(fields);
  const isComplete = requiredFieldsOf(kind).every((field) => chosen.includes(field));
  const names = table.names.filter((name) => name !== '');
  return (
    <>
      <div className={styles.frame}>
        <Table className={styles.fields ?? ''} verticalSpacing={6} horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{importTexts.column}</Table.Th>
              <Table.Th>{importTexts.sample}</Table.Th>
              <Table.Th>{importTexts.meaning}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {names.map((name) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{name}</Table.Th>
                <Table.Td>
                  <div className={styles.samples}>{samplesOf(table, name, fields[name])}</div>
                </Table.Td>
                <Table.Td>
                  <FieldSelect
                    kind={kind}
                    name={name}
                    fields={fields}
                    onChange={(field) => setFields({ ...fields, [name]: field })}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <ActionBar>
        <Text c={isComplete ? 'dimmed' : 'var(--fr-danger)'} size="sm" role="status">
          {isComplete ? importTexts.rows(table.rows.length) : importTexts.missing[kind]}
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={onDiscard}>
            {importTexts.discard}
          </Button>
          <Button disabled={!isComplete} onClick={() => onDone(fields)}>
            {importTexts.showPreview}
          </Button>
        </Group>
      </ActionBar>
    </>
  );
}

interface FieldProps {
  readonly kind: ImportKind;
  readonly name: string;
  readonly fields: ColumnFields;
  readonly onChange: (field: string) => void;
}

/** Offers the fields that no other column has. */
function FieldSelect({ kind, name, fields, onChange }: FieldProps) {
  const { importTexts } = useTexts();
  const taken = new Set(Object.entries(fields).flatMap(([other, field]) => (other === name ? [] : [field])));
  const labels: Readonly<Record<string, string>> = importTexts.fields[kind];
  const free = fieldsOf(kind).filter((field) => !taken.has(field));
  return (
    <Select
      aria-label={`${importTexts.named(importTexts.meaning)}${name}`}
      className={styles.field ?? ''}
      allowDeselect={false}
      data={[
        { value: '', label: importTexts.leaveOut },
        ...free.map((field) => ({ value: field, label: labels[field] ?? field })),
      ]}
      value={fields[name] ?? ''}
      onChange={(value) => onChange(value ?? '')}
    />
  );
}

const samplesShown = 3;

/** Returns the first values of a column, but never a password. */
function samplesOf({ names, rows }: FileTable, name: string, field: string | undefined): string {
  if (field === 'password' || field === 'password_hash') return '••••••••';
  const column = names.indexOf(name);
  const values = rows.slice(0, samplesShown).map(({ values }) => values[column]);
  return values.map(sampleOf).filter(Boolean).join(' · ');
}

function sampleOf(value: unknown): string {
  if (value instanceof SheetFault) return value.text;
  if (value instanceof Date)
    return value
      .toISOString()
      .replace('T', ' ')
      .replace(/(?: 00:00:00)?\.000Z$/, '');
  return value instanceof SheetNumber ? value.digits : String(value ?? '');
}
