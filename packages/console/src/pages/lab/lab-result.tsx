import { showInvisible } from '@fieldroster/signing';
import { Alert, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { sayMistakes } from '../../i18n/say-mistakes.ts';
import { type Texts, useTexts } from '../../i18n/texts.ts';
import { CopyField } from '../../parts/fields/copy-field.tsx';
import type { ExplainedRequest, RequestProblem } from './explain-request.ts';
import styles from './lab.module.css';

interface Props {
  readonly explained: ExplainedRequest | RequestProblem;
  readonly hasSigned: boolean;
}

/** The verdict, the two strings line by line, and the stages of the expected one. */
export function LabResult({ explained, hasSigned }: Props) {
  const { lab } = useTexts();
  if ('kind' in explained) {
    return <Text c="dimmed">{sayProblem(lab, explained)}</Text>;
  }
  return (
    <Stack gap="lg">
      {hasSigned && <Verdict explained={explained} />}
      <Comparison explained={explained} hasSigned={hasSigned} />
      <Stages explained={explained} />
    </Stack>
  );
}

/** Returns the message itself in English, and for a fault that the texts do not have. */
function sayProblem({ problems, sayFault }: Texts['lab'], problem: RequestProblem): string {
  if (problem.kind !== 'refused') return problems[problem.kind];
  return (problem.fault && sayFault?.(problem.fault)) ?? problem.message;
}

interface PartProps {
  readonly explained: ExplainedRequest;
}

function Verdict({ explained: { difference, cause: inEnglish, mistakes } }: PartProps) {
  const { lab, requests } = useTexts();
  const names: Readonly<Record<string, string>> = requests.lines;
  const cause = sayMistakes(lab, mistakes) ?? inEnglish;
  if (difference === undefined) {
    return (
      <Alert color="accent" variant="light" icon={<IconCircleCheck size="1.125rem" />} title={lab.right}>
        {lab.rightHelp}
      </Alert>
    );
  }
  const place = lab.difference(difference.line, names[difference.name] ?? difference.name, difference.column);
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      icon={<IconAlertTriangle size="1.125rem" />}
      title={cause ?? place}
    >
      {cause === undefined ? lab.noCause : place}
    </Alert>
  );
}

function Comparison({ explained, hasSigned }: Props & PartProps) {
  const { lab, requests } = useTexts();
  const names: Readonly<Record<string, string>> = requests.lines;
  return (
    <div>
      <Title order={2} mb="xs">
        {hasSigned ? lab.comparison : lab.stringToSign}
      </Title>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{lab.line}</th>
            <th scope="col">{lab.expectedColumn}</th>
            {hasSigned && <th scope="col">{lab.actualColumn}</th>}
          </tr>
        </thead>
        <tbody>
          {explained.lines.map(({ number, name, expected, actual, column }) => (
            <tr key={number} data-differs={column !== undefined}>
              <th scope="row">{names[name] ?? name}</th>
              <td>
                <Line text={expected} column={column} />
              </td>
              {hasSigned && (
                <td>
                  <Line text={actual} column={column} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface LineProps {
  readonly text: string | undefined;
  /** Where the first difference is, from 1. */
  readonly column: number | undefined;
}

/** A line with invisible characters made visible, and its first difference marked. */
function Line({ text, column }: LineProps) {
  const { lab } = useTexts();
  if (text === undefined) return <i>{lab.noLine}</i>;
  if (column === undefined) return <code>{showInvisible(text) || lab.emptyLine}</code>;
  const characters = [...text];
  const at = column - 1;
  return (
    <code>
      {showInvisible(characters.slice(0, at).join(''))}
      <mark>{showInvisible(characters[at] ?? '') || '␃'}</mark>
      {showInvisible(characters.slice(at + 1).join(''))}
    </code>
  );
}

function Stages({ explained }: PartProps) {
  const { lab, requests } = useTexts();
  const { lines } = requests;
  const { method, bodyBytes, md5, timestamp, nonce, parameters, expected } = explained;
  return (
    <div>
      <Title order={2} mb="xs">
        {lab.stages}
      </Title>
      <dl className={styles.stages}>
        <Stage name={lines.Method}>{method}</Stage>
        <Stage name={lines['Content-MD5']} help={md5 === undefined ? lab.noMd5 : lab.md5Of(bodyBytes)}>
          {md5}
        </Stage>
        <Stage name={lines.Timestamp}>{timestamp}</Stage>
        <Stage name={lines.Nonce}>{nonce}</Stage>
        <Stage name={lab.parameters} help={parameters.length === 0 ? lab.noParameters : lab.parametersHelp}>
          {parameters.map(({ name, value }) => `${name}=${value}`).join('\n')}
        </Stage>
      </dl>
      <CopyField label={lab.asJson} value={JSON.stringify(expected)} />
    </div>
  );
}

interface StageProps {
  readonly name: string;
  readonly help?: string;
  readonly children: ReactNode;
}

function Stage({ name, help, children }: StageProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {help !== undefined && (
          <Text size="xs" c="dimmed">
            {help}
          </Text>
        )}
        {children !== undefined && children !== '' && <code>{children}</code>}
      </dd>
    </div>
  );
}
