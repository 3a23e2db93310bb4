import type { AuditEvent } from '../../api/audit-event.ts';
import { useTexts } from '../../i18n/texts.ts';
import { partOfChange } from './part-of-change.ts';

/** Says in words what an operation did, to the user if the row is about one, and shows its name on hover. */
export function OperationName({ operation, changes }: Pick<AuditEvent, 'operation' | 'changes'>) {
  const { changes: texts } = useTexts();
  const part = partOfChange(operation, changes);
  const words = (part && texts.parts[part]) ?? texts.operations[operation] ?? operation;
  return <span title={operation}>{words}</span>;
}
