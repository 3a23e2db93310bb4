import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconBulb, IconSignature } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { OwnResult } from '../../api/call.ts';
import { failedCallQuery } from '../../api/failed-call-query.ts';
import { sayAnswer } from '../../i18n/say-answer.ts';
import { sayMistakes } from '../../i18n/say-mistakes.ts';
import { useLanguage, useLocale, useTexts } from '../../i18n/texts.ts';
import { LoadState } from '../../parts/notices/load-state.tsx';
import { PageDrawer } from '../../parts/page/page-drawer.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { useCodeText } from '../../parts/values/code-text.ts';
import { FactList } from '../../parts/values/fact-list.tsx';
import { useNumberFormat } from '../../parts/values/use-number-format.ts';
import { Explanation, NextStep } from './next-step.tsx';
import { sayNoCause } from './say-no-cause.ts';
import { StringToSign } from './string-to-sign.tsx';
import { useRequestSearch } from './use-request-search.ts';
import { differentStrings, textOf } from './withheld-values.ts';

/** One failed call beside the list, at its own address. */
export function RequestDrawer() {
  const tenant = useTenant();
  const navigate = useNavigate();
  const codeText = useCodeText();
  const search = useRequestSearch();
  const { request: requestId = '' } = useParams({ strict: false });
  const query = useQuery(failedCallQuery(tenant, requestId));
  const call = query.data?.call;
  const heading = call && `${call.code} ${codeText(call.code).meaning}`;
  const close = () => navigate({ to: '/t/$tenant/requests', params: { tenant: String(tenant) }, search });
  return (
    <PageDrawer title={<Title requestId={requestId} heading={heading} />} onClose={close} pageTitle={heading}>
      <LoadState query={query} height={240} />
      {query.data !== undefined &&
        (query.data.call === undefined ? (
          <NotFound unkept={query.data.unkept} />
        ) : (
          <Details call={query.data.call} />
        ))}
    </PageDrawer>
  );
}

type Call = NonNullable<OwnResult<'queryFailedCall'>['call']>;

interface TitleProps {
  readonly requestId: string;
  readonly heading: string | undefined;
}

function Title({ requestId, heading }: TitleProps) {
  const { requests } = useTexts();
  return (
    <>
      <Text size="lg" fw={600} span display="block">
        {heading ?? requests.requestId}
      </Text>
      <Text size="xs" c="dimmed" ff="monospace" span>
        {requestId}
      </Text>
    </>
  );
}

/** @param unkept calls that were only counted; `undefined` if the operator may not know how many */
function NotFound({ unkept }: { readonly unkept: number | undefined }) {
  const { requests } = useTexts();
  return (
    <Stack gap="xs">
      <Text fw={600}>{requests.notFound}</Text>
      <ul>
        {requests.reasons(unkept).map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </Stack>
  );
}

function Details({ call }: { readonly call: Call }) {
  const { requests } = useTexts();
  return (
    <Stack gap="lg">
      {hasCause(call) && <Cause call={call} />}
      <AnswerInWords call={call} />
      <NextStep call={call} />
      <Facts call={call} />
      {differentStrings(call).map((lines, index) => (
        <StringToSign
          key={textOf(lines)}
          title={index === 0 ? requests.stringToSign : requests.otherReading}
          lines={lines}
        />
      ))}
      {call.strings_to_sign.length > 0 && <LabButton requestId={call.request_id} />}
    </Stack>
  );
}

/** Returns whether there is something to say about the cause, which an erasure removes together with the answer. */
function hasCause({ code, cause, message }: Call): boolean {
  return cause !== '' || (code === 1014 && message !== '');
}

/** The answer in the reader's language, unless that is English. Leaves out a wrong signature, whose cause says more. */
function AnswerInWords({ call: { code, message } }: { readonly call: Call }) {
  const translation = useLanguage();
  const said = code === 1014 ? undefined : sayAnswer(translation, message);
  if (said === undefined) return null;
  return (
    <Explanation title={translation.texts.requests.whatWasWrong}>
      <Text>{said}</Text>
    </Explanation>
  );
}

/** The caller's probable mistake. The cause of a failure within the server is in the server's own words only. */
function Cause({ call }: { readonly call: Call }) {
  const { lab, requests } = useTexts();
  const said = call.cause === '' ? sayNoCause(requests, call) : sayMistakes(lab, call.mistakes);
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconBulb size="1.125rem" />}
      title={said === undefined ? requests.recordedCause : requests.cause}
    >
      {said ?? <span lang="en">{call.cause}</span>}
    </Alert>
  );
}

function LabButton({ requestId }: { readonly requestId: string }) {
  const { requests } = useTexts();
  const tenant = useTenant();
  return (
    <Button
      component={Link}
      to={`/t/${tenant}/lab?request=${encodeURIComponent(requestId)}`}
      variant="default"
      style={{ alignSelf: 'flex-start' }}
      leftSection={<IconSignature size="0.875rem" />}
    >
      {requests.openInLab}
    </Button>
  );
}

function Facts({ call }: { readonly call: Call }) {
  const { requests } = useTexts();
  const locale = useLocale();
  const number = useNumberFormat({ maximumFractionDigits: 1 });
  const at = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' });
  const rows = [
    [
      requests.message,
      call.message === '' ? (
        requests.erased
      ) : (
        <Text key="message" span ff="monospace" size="sm" lang="en">
          {call.message}
        </Text>
      ),
    ],
    [
      requests.call,
      <Text key="call" span ff="monospace" size="sm">
        {call.method} {call.target}
      </Text>,
    ],
    [requests.operation, call.operation || requests.noOperation],
    [requests.application, <CallerLink key="caller" call={call} />],
    [requests.at, at.format(new Date(Number(call.at)))],
    [requests.address, call.address || '–'],
    [requests.duration, requests.milliseconds(number(call.duration_us / 1000))],
  ] as const;
  return <FactList facts={rows} />;
}

function CallerLink({ call }: { readonly call: Call }) {
  const { requests } = useTexts();
  const tenant = String(useTenant());
  const { app_id, name, verified } = call;
  if (app_id === '') return <>{requests.noApplication}</>;
  const note = name === '' ? requests.unknown : verified ? undefined : requests.claimed;
  return (
    <>
      {name === '' ? (
        <Text span ff="monospace">
          {app_id}
        </Text>
      ) : (
        <Link to="/t/$tenant/applications/$application" params={{ tenant, application: app_id }}>
          {name}
        </Link>
      )}
      {note !== undefined && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </>
  );
}
