import { Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { OwnResult } from '../../api/call.ts';
import { useCanChange } from '../../api/use-can-change.ts';
import { useTexts } from '../../i18n/texts.ts';
import { importPath } from '../../parts/page/import-path.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import { useCodeText } from '../../parts/values/code-text.ts';
import { sayNextStep } from './say-next-step.ts';

type Call = NonNullable<OwnResult<'queryFailedCall'>['call']>;

interface Props {
  readonly call: Call;
}

/** The operator's next step after a failed call. */
export function NextStep({ call }: Props) {
  const { requests } = useTexts();
  const codeText = useCodeText();
  return (
    <Explanation title={requests.whatToDo}>
      <Text>{sayNextStep(requests, call, codeText(call.code).step)}</Text>
      {call.code === 1401 && <StoreLinks />}
    </Explanation>
  );
}

/** Links to the list of stores and to their import. */
function StoreLinks() {
  const { importTexts } = useTexts();
  const tenant = useTenant();
  const canChange = useCanChange();
  return (
    <Group gap="md" mt={4}>
      <Link to="/t/$tenant/stores" params={{ tenant: String(tenant) }}>
        {importTexts.showAll.stores}
      </Link>
      {canChange && <Link to={importPath(tenant, 'stores')}>{importTexts.titles.stores}</Link>}
    </Group>
  );
}

interface ExplanationProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A part of the explanation, below its title. */
export function Explanation({ title, children }: ExplanationProps) {
  return (
    <section>
      <Text fw={600} component="h3" mb={4}>
        {title}
      </Text>
      {children}
    </section>
  );
}
