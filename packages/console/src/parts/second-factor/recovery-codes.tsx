import { Button } from '@mantine/core';
import { useSession } from '../../api/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { CopyTextButton } from '../fields/copy-text-button.tsx';
import { ShownOnce } from '../notices/shown-once.tsx';
import { saveFile } from '../save-file.ts';
import styles from './second-factor.module.css';

interface Props {
  readonly codes: readonly string[];
  readonly onStored: () => void;
}

/** The recovery codes, shown this once. */
export function RecoveryCodes({ codes, onStored }: Props) {
  const { settings } = useTexts();
  const { username } = useSession().operator;
  const download = () => {
    const title = settings.factor.fileTitle(username, window.location.host);
    const text = [title, '', ...codes, ''].join('\n');
    saveFile('fieldroster-recovery-codes.txt', [text], 'text/plain;charset=utf-8');
  };
  return (
    <ShownOnce
      title={settings.factor.once}
      help={settings.factor.onceHelp}
      stored={settings.factor.stored}
      onStored={onStored}
      actions={
        <>
          <Button variant="default" onClick={download}>
            {settings.factor.download}
          </Button>
          <CopyTextButton label={settings.factor.copyCodes} text={codes.join('\n')} />
        </>
      }
    >
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </ShownOnce>
  );
}
