import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callConsole } from '../../api/call.ts';
import { sessionQuery, useSession } from '../../api/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useDiscardGuard } from '../../parts/fields/use-discard-guard.tsx';
import { notifyDone } from '../../parts/notices/notify.ts';
import { AskForPasswordAndCode } from '../../parts/second-factor/ask-for-password-and-code.tsx';
import { hasFewCodes } from '../../parts/second-factor/few-codes.ts';
import { RecoveryCodes } from '../../parts/second-factor/recovery-codes.tsx';
import { SetUpSecondFactor, type SetUpStep } from '../../parts/second-factor/set-up-second-factor.tsx';
import { useMaking } from './use-making.ts';

const dialogs = { turnOn: TurnOn, replace: Replace, makeCodes: MakeCodes, turnOff: TurnOff };

/** Turns the second factor on or off, replaces it, and makes new recovery codes. */
export function SecondFactor() {
  const { factor } = useTexts().settings;
  const { second_factor: isOn, second_factor_mandatory: isMandatory } = useSession().operator;
  const [opened, setOpened] = useState<keyof typeof dialogs>();
  const client = useQueryClient();
  const Dialog = opened && dialogs[opened];
  const buttonOf = (dialog: keyof typeof dialogs) => (
    <Button variant={dialog === 'turnOn' ? 'filled' : 'default'} onClick={() => setOpened(dialog)}>
      {factor[dialog]}
    </Button>
  );
  const close = () => {
    setOpened(undefined);
    client.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  return (
    <Stack gap="sm">
      <Text c="dimmed">{isOn ? (isMandatory ? factor.isMandatory : factor.isOn) : factor.isOff}</Text>
      {isOn && <CodesLeft />}
      <Group gap="xs">
        {isOn ? (
          <>
            {buttonOf('replace')}
            {buttonOf('makeCodes')}
            {!isMandatory && buttonOf('turnOff')}
          </>
        ) : (
          buttonOf('turnOn')
        )}
      </Group>
      {Dialog && <Dialog onClose={close} />}
    </Stack>
  );
}

function CodesLeft() {
  const { factor } = useTexts().settings;
  const { operator } = useSession();
  const left = factor.codesLeft(operator.recovery_codes_left);
  if (!hasFewCodes(operator)) return <Text c="dimmed">{left}</Text>;
  return (
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle size="1.125rem" />} title={left}>
      {factor.fewCodesHelp}
    </Alert>
  );
}

interface DialogProps {
  readonly onClose: () => void;
}

function TurnOn({ onClose }: DialogProps) {
  const { factor } = useTexts().settings;
  return <SetUp title={factor.turnOn} replaces={false} onClose={onClose} onDone={onClose} />;
}

function Replace({ onClose }: DialogProps) {
  const { factor } = useTexts().settings;
  const end = () => {
    notifyDone(factor.replaced);
    onClose();
  };
  return <SetUp title={factor.replace} replaces onClose={onClose} onDone={end} />;
}

interface SetUpProps extends DialogProps {
  readonly title: string;
  readonly replaces: boolean;
  readonly onDone: () => void;
}

function SetUp({ title, replaces, onClose, onDone }: SetUpProps) {
  const [step, setStep] = useState<SetUpStep>('password');
  const canLeave = step === 'password' || step === 'scan' || step === 'lost';
  const { question } = useDiscardGuard(step === 'confirming', 'making');
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      // A slip of the mouse must not lose the codes.
      closeOnClickOutside={step === 'password'}
      closeOnEscape={canLeave}
      withCloseButton={canLeave}
    >
      {question}
      <SetUpSecondFactor replaces={replaces} onStep={setStep} onDone={onDone} />
    </Modal>
  );
}

function MakeCodes({ onClose }: DialogProps) {
  const { factor } = useTexts().settings;
  const [codes, setCodes] = useState<readonly string[]>();
  const { close, make, question } = useMaking(onClose);
  const isAsking = codes === undefined;
  return (
    <Modal
      opened
      onClose={close}
      title={factor.makeCodes}
      closeOnClickOutside={isAsking}
      closeOnEscape={isAsking}
      withCloseButton={isAsking}
    >
      {question}
      {isAsking ? (
        <AskForPasswordAndCode
          help={factor.makeCodesHelp}
          action={factor.makeCodes}
          onCancel={close}
          run={(proof) =>
            make(async () => setCodes((await callConsole('makeRecoveryCodes', proof)).recovery_codes))
          }
        />
      ) : (
        <RecoveryCodes codes={codes} onStored={onClose} />
      )}
    </Modal>
  );
}

function TurnOff({ onClose }: DialogProps) {
  const { factor } = useTexts().settings;
  return (
    <Modal opened onClose={onClose} title={factor.turnOff}>
      <AskForPasswordAndCode
        action={factor.turnOff}
        onCancel={onClose}
        run={async (proof) => {
          await callConsole('removeSecondFactor', proof);
          notifyDone(factor.isOff);
          onClose();
        }}
      />
    </Modal>
  );
}
