import { Button, Group, Modal, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callConsole, type OwnResult } from '../../api/call.ts';
import { useSession } from '../../api/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { notifyDone } from '../../parts/notify.ts';
import { AskFor, AskForPassword } from './ask-for.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/** Turns the second factor on or off. */
export function SecondFactor() {
  const { factor } = useTexts().settings;
  const isOn = useSession().operator.second_factor;
  const [opened, dialog] = useDisclosure(false);
  return (
    <Group gap="md">
      <Button variant={isOn ? 'default' : 'filled'} onClick={dialog.open}>
        {isOn ? factor.turnOff : factor.turnOn}
      </Button>
      <Text c="dimmed">{isOn ? factor.isOn : factor.isOff}</Text>
      {opened && (isOn ? <TurnOff onClose={dialog.close} /> : <TurnOn onClose={dialog.close} />)}
    </Group>
  );
}

interface DialogProps {
  readonly onClose: () => void;
}

function TurnOn({ onClose }: DialogProps) {
  const { factor } = useTexts().settings;
  const client = useQueryClient();
  const [begun, setBegun] = useState<OwnResult<'beginSecondFactor'>>();
  const [codes, setCodes] = useState<readonly string[]>();
  const end = () => {
    onClose();
    client.invalidateQueries({ queryKey: ['session'] });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={factor.turnOn}
      // A slip of the mouse must not lose the codes.
      closeOnClickOutside={begun === undefined}
      closeOnEscape={codes === undefined}
      withCloseButton={codes === undefined}
    >
      {codes !== undefined && <RecoveryCodes codes={codes} onStored={end} />}
      {codes === undefined && begun !== undefined && <Confirm begun={begun} onCodes={setCodes} />}
      {begun === undefined && (
        <AskForPassword
          action={factor.next}
          run={async (password) => setBegun(await callConsole('beginSecondFactor', { password }))}
        />
      )}
    </Modal>
  );
}

interface ConfirmProps {
  readonly begun: OwnResult<'beginSecondFactor'>;
  readonly onCodes: (codes: readonly string[]) => void;
}

function Confirm({ begun, onCodes }: ConfirmProps) {
  const { settings, signIn } = useTexts();
  return (
    <AskFor
      action={settings.factor.turnOn}
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
            data-autofocus
            {...input}
          />
        </>
      )}
    />
  );
}

function TurnOff({ onClose }: DialogProps) {
  const { factor } = useTexts().settings;
  const client = useQueryClient();
  return (
    <Modal opened onClose={onClose} title={factor.turnOff}>
      <AskForPassword
        action={factor.turnOff}
        run={async (password) => {
          await callConsole('removeSecondFactor', { password });
          client.invalidateQueries({ queryKey: ['session'] });
          notifyDone(factor.isOff);
          onClose();
        }}
      />
    </Modal>
  );
}
