import { isTargetField } from '@fieldroster/tables';
import { Button, Group, Modal, SegmentedControl, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type Texts, useTexts } from '../../../i18n/texts.ts';
import { type Column, DataTable } from '../../../parts/data-table/data-table.tsx';
import { EmptyState } from '../../../parts/notices/empty-state.tsx';
import { useTenant } from '../../../parts/use-tenant.ts';
import { StatusDot } from '../../../parts/values/status-dot.tsx';
import { useNumberFormat } from '../../../parts/values/use-number-format.ts';
import styles from '../import-page.module.css';
import { type ImportKind, type Outcome, outcomes, type RowOutcome } from '../job/import-job.ts';
import { countOutcomes } from './count-outcomes.ts';
import { idsNeeded } from './say-row-problems.ts';
import { useSayRowProblems } from './use-say-row-problems.ts';
import { type LabelValue, useTargetLabels } from './use-target-labels.ts';

type ImportTexts = Texts['importTexts'];

interface Props {
  readonly kind: ImportKind;
  readonly rows: readonly RowOutcome[];
  /** Before the import, all rows are shown first; after it, those that were not imported. */
  readonly isPreview?: boolean;
}

const tones = { created: 'good', updated: 'good', applied: 'good', unchanged: 'off', failed: 'bad' } as const;

/** Lists the outcome of each row, below the number of rows with each outcome. */
export function OutcomeTable({ kind: ofKind, rows, isPreview = false }: Props) {
  const { importTexts } = useTexts();
  const words = wordsOf(importTexts, isPreview);
  const number = useNumberFormat();
  const counts = useMemo(() => countOutcomes(rows), [rows]);
  const [shown, setShown] = useState<Outcome | 'all'>(!isPreview && counts.failed > 0 ? 'failed' : 'all');
  const [open, setOpen] = useState<RowOutcome>();
  const label = useTargetLabels(rows);
  const columns = useColumns(ofKind, isPreview, label);
  const kinds = counts.applied > 0 ? (['applied', ...outcomes] as const) : outcomes;
  const filtered = shown === 'all' ? rows : rows.filter(({ outcome }) => outcome === shown);
  return (
    <>
      <SegmentedControl
        className={styles.counts ?? ''}
        aria-label={importTexts.outcome}
        value={shown}
        onChange={(value) => setShown(value as Outcome | 'all')}
        data={[
          { value: 'all', label: `${importTexts.all} ${number(rows.length)}` },
          ...kinds.map((kind) => ({
            value: kind,
            label: `${words[kind]} ${number(counts[kind])}`,
          })),
        ]}
      />
      {filtered.length === 0 ? (
        <EmptyState title={importTexts.noRows} help={importTexts.noRowsHelp} />
      ) : (
        <DataTable
          label={importTexts.titles[ofKind]}
          scrollId="import"
          columns={columns}
          rows={filtered}
          keyOf={({ line }) => String(line)}
          onOpen={setOpen}
          height="max(15rem, calc(100dvh - 21rem))"
        />
      )}
      {open !== undefined && (
        <Details
          kind={ofKind}
          row={open}
          word={words[open.outcome]}
          label={label}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

/** A row that fails the import need not be invalid: the server may refuse it at that moment. */
function wordsOf({ outcomes, notImported }: ImportTexts, isPreview: boolean): ImportTexts['outcomes'] {
  return isPreview ? outcomes : { ...outcomes, failed: notImported };
}

function useColumns(kind: ImportKind, isPreview: boolean, label: LabelValue): Column<RowOutcome>[] {
  const texts = useTexts();
  const { importTexts } = texts;
  const words = useMemo(() => wordsOf(importTexts, isPreview), [importTexts, isPreview]);
  const sayProblems = useSayRowProblems(kind);
  return useMemo(
    () => [
      {
        key: 'key',
        title: importTexts.keys[kind],
        width: 'minmax(8.75rem, 1fr)',
        cell: (row) => <Key row={row} noKey={sayNoKey(importTexts, kind, row)} />,
      },
      {
        key: 'line',
        title: importTexts.line,
        width: '4rem',
        isNumber: true,
        needsTitle: true,
        cell: ({ line }) => line,
      },
      {
        key: 'outcome',
        title: importTexts.outcome,
        width: '6.875rem',
        narrowPlace: 'side',
        cell: ({ outcome }) => <StatusDot tone={tones[outcome]} word={words[outcome]} />,
      },
      {
        key: 'changes',
        title: isPreview ? importTexts.changes : importTexts.changed,
        width: 'minmax(15rem, 4fr)',
        cell: (row) => {
          const wrong = sayProblems(row);
          const what = (wrong.length > 0 ? wrong : describe(kind, row, texts, label)).join(' · ');
          // Nothing at all, so that no separator stands before it.
          return what === '' ? null : (
            <span className={styles.what} title={what}>
              {what}
            </span>
          );
        },
      },
    ],
    [texts, importTexts, words, isPreview, sayProblems, kind, label],
  );
}

/** Bold only if it is the key: a name in its place must not pass for it. */
function Key({ row: { key }, noKey }: { readonly row: RowOutcome; readonly noKey: string }) {
  if (key === '')
    return (
      <Text span size="sm" c="dimmed">
        {noKey}
      </Text>
    );
  return (
    <Text span size="sm" fw={600}>
      {key}
    </Text>
  );
}

function sayNoKey({ noKey, named }: ImportTexts, kind: ImportKind, { name }: RowOutcome): string {
  return name === undefined ? noKey[kind] : `${named(noKey[kind])}${name}`;
}

interface DetailsProps {
  readonly kind: ImportKind;
  readonly row: RowOutcome;
  readonly word: string;
  readonly label: LabelValue;
  readonly onClose: () => void;
}

function Details({ kind, row, word, label, onClose }: DetailsProps) {
  const texts = useTexts();
  const { importTexts } = texts;
  const sayProblems = useSayRowProblems(kind);
  const tenant = useTenant();
  const wrong = sayProblems(row);
  const ids = new Set((row.problems ?? []).flatMap((problem) => idsNeeded(kind, problem) ?? []));
  return (
    <Modal
      opened
      onClose={onClose}
      title={importTexts.detailsOf(row.key || sayNoKey(importTexts, kind, row), row.line)}
      size="lg"
    >
      <StatusDot tone={tones[row.outcome]} word={word} />
      {wrong.length === 1 && <Text mt="sm">{wrong[0]}</Text>}
      <ul className={styles.changes}>
        {[...(wrong.length > 1 ? wrong : []), ...describe(kind, row, texts, label)].map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {[...ids].map((list) => (
        <OpenButton key={list} to={`/t/${tenant}/${list}`} label={importTexts.showAll[list]} />
      ))}
      {row.userId !== undefined && (
        <OpenButton to={`/t/${tenant}/users/${row.userId}`} label={importTexts.openUser} />
      )}
      {kind === 'stores' && row.outcome !== 'failed' && (
        <OpenButton to={`/t/${tenant}/stores/${encodeURIComponent(row.key)}`} label={importTexts.openStore} />
      )}
    </Modal>
  );
}

function OpenButton({ to, label }: { readonly to: string; readonly label: string }) {
  return (
    <Group justify="flex-end">
      <Button component={Link} to={to} variant="default">
        {label}
      </Button>
    </Group>
  );
}

/** Says what changes; of a new one, only the new values. */
function describe(
  kind: ImportKind,
  { outcome, changes, added, removed, caseVariant }: RowOutcome,
  { importTexts, changes: changeTexts }: Texts,
  label: LabelValue,
): string[] {
  const fields = changes.map(({ field, from, to }) => {
    if (field === 'password') return importTexts.newPassword;
    const names: Readonly<Record<string, string>> = importTexts.fields[kind];
    // The label of the column also says that it may hold a name or an id, which is no part of the change.
    const name = (isTargetField(field) ? changeTexts.fields[field] : names[field]) ?? field;
    const show = (value: string) => (value === '' ? '∅' : label(field, value));
    return `${importTexts.named(name)}${outcome === 'created' ? label(field, to) : `${show(from)} → ${show(to)}`}`;
  });
  const warnings =
    caseVariant === undefined ? [] : [importTexts.variantOf(caseVariant.code, caseVariant.line)];
  return [...warnings, ...fields, ...added.map((code) => `+ ${code}`), ...removed.map((code) => `− ${code}`)];
}
