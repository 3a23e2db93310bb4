import { useTexts } from '../../i18n/texts.ts';

interface Props {
  readonly operation: string;
}

/** Says in words what an operation did, and shows its name on hover. */
export function OperationName({ operation }: Props) {
  const { changes } = useTexts();
  return <span title={operation}>{changes.operations[operation] ?? operation}</span>;
}
