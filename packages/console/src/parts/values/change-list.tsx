import { Text } from '@mantine/core';
import { Fragment } from 'react';
import type { AuditEvent } from '../../api/audit-event.ts';
import { useTexts } from '../../i18n/texts.ts';
import { AuditedUser } from './audited-user.tsx';
import styles from './change-list.module.css';
import { changedNothing, readChange, shownFields } from './read-change.ts';
import { useExactTime } from './relative-time.tsx';
import { none, useTargetNames } from './use-target-names.ts';

interface Props {
  readonly operation: string;
  readonly changes: Readonly<Record<string, unknown>>;
  readonly colleague?: AuditEvent['colleague'];
}

/** The changes of an audit row: each field with its value before and after. */
export function ChangeList({ operation, changes, colleague }: Props) {
  const { changes: texts } = useTexts();
  const show = useShow(changes);
  const entries = shownFields(changes);
  return (
    <div>
      {entries.length > 0 && (
        <dl className={styles.list}>
          {entries.map(([field, entry]) => (
            <div key={field} className={styles.entry}>
              <dt title={field}>{texts.fields[field] ?? field}</dt>
              <dd className={codes.includes(field) ? styles.code : undefined}>
                {colleague !== undefined && colleagues.includes(field) ? (
                  <AuditedUser {...colleague} />
                ) : (
                  <Value entry={entry} show={(value) => show(field, value)} />
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {changedNothing(operation, changes) && (
        <Text size="sm" c="dimmed">
          {texts.nothing}
        </Text>
      )}
    </div>
  );
}

/** Fields with the id of the colleague. */
const colleagues = ['from_user_id', 'to_user_id'];

/** Fields whose letters and digits must be told apart. */
const codes = ['app_id', 'code', 'unique_code'];

interface ValueProps {
  readonly entry: unknown;
  readonly show: (value: unknown) => string;
}

function Value({ entry, show }: ValueProps) {
  const { changes: texts } = useTexts();
  const change = readChange(entry);
  if (change.kind === 'fact') return <>{show(change.value)}</>;
  if (change.kind === 'listed') {
    const added = change.added.map((one) => `+ ${show(one)}`);
    return <Items items={[...added, ...change.removed.map((one) => `− ${show(one)}`)]} />;
  }
  if (change.kind === 'not-kept') {
    return (
      <Text span size="sm" c="dimmed">
        {texts.notKept}
      </Text>
    );
  }
  const { from, to } = change;
  // Something that was created has no value from before.
  if (from === undefined) return <>{show(to)}</>;
  return (
    <>
      <Text span size="sm" c="dimmed" {...(!isEmpty(from) && { td: 'line-through' })}>
        {show(from)}
      </Text>{' '}
      → {show(to)}
    </>
  );
}

/** A list whose lines break between the items: browsers would also break a code after its hyphen. */
function Items({ items }: { readonly items: readonly string[] }) {
  return items.map((item, index) => (
    <Fragment key={item}>
      <span className={styles.item}>{index < items.length - 1 ? `${item},` : item}</span>{' '}
    </Fragment>
  ));
}

/** Returns a function that writes the value of a field: names in place of ids, words in place of codes. */
function useShow(row: Props['changes']): (field: string, value: unknown) => string {
  const { applications, changes, general, users } = useTexts();
  const nameOf = useTargetNames(Object.keys(row));
  const exactTime = useExactTime();
  const genders = [users.genders.none, users.genders.male, users.genders.female];
  const word = (field: string, value: unknown): string | undefined => {
    if (field === 'scope') return applications.scopes[value as keyof typeof applications.scopes];
    if (times.includes(field)) return exactTime(new Date(String(value)));
    if (field === 'gender') return genders[Number(value)];
    return changes.values[field]?.[String(value)] ?? nameOf(field, value);
  };
  const show = (field: string, value: unknown): string => {
    if (isEmpty(value)) return none;
    // The names in a list are data, even one that reads like a word.
    if (Array.isArray(value)) return general.listed(value.map((one) => nameOf(field, one) ?? String(one)));
    if (typeof value === 'object' && value !== null)
      return general.listed(
        Object.entries(value).map(
          ([name, inner]) => `${general.titled(changes.fields[name] ?? name)}${show(name, inner)}`,
        ),
      );
    return word(field, value) ?? String(value);
  };
  return show;
}

/** Fields whose values are times in ISO 8601. */
const times = ['expires_at', 'old_secret_expires_at'];

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
