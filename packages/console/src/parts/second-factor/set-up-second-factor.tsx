import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { callConsole, type OwnInput, type OwnResult } from '../../api/call.ts';
import { useTexts } from '../../i18n/texts.ts';
import { AskFor, AskForPassword } from '../fields/ask-for.tsx';
import { CopyField } from '../fields/copy-field.tsx';
import { AskForPasswordAndCode } from './ask-for-password-and-code.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/** The operator's current step. From `scan` on, leaving loses the secret and the codes that were shown. */
export type SetUpStep = 'password' | 'scan' | 'codes';

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
        onCodes={(next) => {
          setCodes(next);
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
  readonly onCodes: (codes: readonly string[]) => void;
}

function Confirm({ action, begun, onCodes }: ConfirmProps) {
  const { settings, signIn } = useTexts();
  return (
    <AskFor
      action={action}
      wrong={settings.factor.wrong}
      run={async (code) => onCodes((await callConsole('confirmSecondFactor', { code })).recovery_codes)}
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
