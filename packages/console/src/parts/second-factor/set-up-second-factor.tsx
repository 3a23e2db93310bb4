import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { callConsole, type OwnInput, type OwnResult, PerhapsDoneError } from '../../api/call.ts';
import { useTexts } from '../../i18n/texts.ts';
import { AskFor, AskForPassword } from '../fields/ask-for.tsx';
import { CopyField } from '../fields/copy-field.tsx';
import { AskForPasswordAndCode } from './ask-for-password-and-code.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/**
 * The operator's current step. Leaving at `scan` loses a secret that nothing uses yet. From `confirming` on, it loses the
 * recovery codes of a second factor that is on. At `lost`, it may be on, and nobody has seen its recovery codes.
 */
export type SetUpStep = 'password' | 'scan' | 'confirming' | 'codes' | 'lost';

interface Props {
  /** Whether the new second factor replaces one, which has to confirm that by a code. */
  readonly replaces?: boolean;
  readonly onStep?: (step: SetUpStep) => void;
  /** Is called once the operator has stored the recovery codes. */
  readonly onDone: () => void;
}

/**
 * Asks for the password, and for a code of the second factor that it replaces, shows a new secret, confirms it by a code,
 * and shows the recovery codes.
 */
export function SetUpSecondFactor({ replaces = false, onStep, onDone }: Props) {
  const { factor } = useTexts().settings;
  const [begun, setBegun] = useState<OwnResult<'beginSecondFactor'>>();
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes !== undefined) return <RecoveryCodes codes={codes} onStored={onDone} />;
  if (begun !== undefined) {
    return (
      <Confirm
        begun={begun}
        action={replaces ? factor.replace : factor.turnOn}
        confirm={async (code) => {
          onStep?.('confirming');
          const { recovery_codes } = await callConsole('confirmSecondFactor', { code }).catch((error) => {
            onStep?.(error instanceof PerhapsDoneError ? 'lost' : 'scan');
            throw error;
          });
          setCodes(recovery_codes);
          onStep?.('codes');
        }}
      />
    );
  }
  const begin = async (proof: OwnInput<'beginSecondFactor'>) => {
    setBegun(await callConsole('beginSecondFactor', proof));
    onStep?.('scan');
  };
  return replaces ? (
    <AskForPasswordAndCode help={factor.replaceHelp} action={factor.next} run={begin} />
  ) : (
    <AskForPassword action={factor.next} run={(password) => begin({ password })} />
  );
}

interface ConfirmProps {
  readonly action: string;
  readonly begun: OwnResult<'beginSecondFactor'>;
  readonly confirm: (code: string) => Promise<void>;
}

function Confirm({ action, begun, confirm }: ConfirmProps) {
  const { settings, signIn } = useTexts();
  return (
    <AskFor
      action={action}
      wrong={settings.factor.wrong}
      run={confirm}
      field={(input) => (
        <>
          <Text size="sm">{settings.factor.scan}</Text>
          <QrCode text={begun.uri} label={settings.factor.qr} />
          <CopyField label={settings.factor.secret} value={begun.secret} />
          <TextInput
            label={signIn.code}
            autoComplete="one-time-code"
            inputMode="numeric"
            required
            autoFocus
            {...input}
          />
        </>
      )}
    />
  );
}
