import { Radio, Stack } from '@mantine/core';
import { useTexts } from '../../i18n/texts.ts';

const scopes = ['read', 'write', 'manage'] as const;

export type Scope = (typeof scopes)[number];

interface Props {
  readonly value: Scope;
  readonly onChange: (scope: Scope) => void;
}

/** The scopes to choose from, each explained in one line. */
export function ScopeField({ value, onChange }: Props) {
  const { applications } = useTexts();
  return (
    <Radio.Group
      label={applications.scope}
      value={value}
      onChange={(next) => onChange(scopes.find((scope) => scope === next) ?? value)}
    >
      <Stack gap="xs" mt={4}>
        {scopes.map((scope) => (
          <Radio
            key={scope}
            value={scope}
            label={applications.scopes[scope]}
            description={applications.scopeHelp[scope]}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
