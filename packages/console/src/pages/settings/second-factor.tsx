import { Button, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callConsole } from '../../api/call.ts';
import { useSession } from '../../api/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { AskForPassword } from '../../parts/fields/ask-for.tsx';
import { notifyDone } from '../../parts/notices/notify.ts';
import { SetUpSecondFactor, type SetUpStep } from '../../parts/second-factor/set-up-second-factor.tsx';

/** Turns the second factor on or off, or replaces it where the server requires one. */
export function SecondFactor() {
  const { factor } = useTexts().settings;
  const { second_factor: isOn, second_factor_mandatory: isMandatory } = useSession().operator;
  const [opened, dialog] = useDisclosure(false);
  const action = isOn ? (isMandatory ? factor.replace : factor.turnOff) : factor.turnOn;
  const state = isMandatory ? factor.isMandatory : isOn ? factor.isOn : factor.isOff;
  return (
    <Group gap="md">
      <Text c="dimmed">{state}</Text>
      <Button variant={isOn ? 'default' : 'filled'} onClick={dialog.open}>
        {action}
      </Button>
      {opened &&
        (isOn && !isMandatory ? (
          <TurnOff onClose={dialog.close} />
        ) : (
          <SetUp title={action} onClose={dialog.close} />
        ))}
    </Group>
  );
}

interface DialogProps {
  readonly onClose: () => void;
}

function SetUp({ title, onClose }: DialogProps & { readonly title: string }) {
  const client = useQueryClient();
  const [step, setStep] = useState<SetUpStep>('password');
  const end = () => {
    onClose();
    client.invalidateQueries({ queryKey: ['session'] });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      // A slip of the mouse must not lose the codes.
      closeOnClickOutside={step === 'password'}
      closeOnEscape={step !== 'codes'}
      withCloseButton={step !== 'codes'}
    >
      <SetUpSecondFactor onStep={setStep} onDone={end} />
    </Modal>
  );
}

function TurnOff({ onClose }: DialogProps) {
  const { factor } = useTexts().settings;
  const client = useQueryClient();
  return (
    <Modal opened onClose={onClose} title={factor.turnOff}>
      <AskForPassword
        action={factor.turnOff}
        onCancel={onClose}
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
