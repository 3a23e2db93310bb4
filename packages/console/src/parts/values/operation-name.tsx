import { useTexts } from '../../i18n/texts.ts';

interface Props {
  readonly operation: string;
}

/** What an operation did, in words; its own name on hover. */
export function OperationName({ operation }: Props) {
  const { changes } = useTexts();
  return <span title={operation}>{changes.operations[operation] ?? operation}</span>;
}
