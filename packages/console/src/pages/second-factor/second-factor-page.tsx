import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Navigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { endedSession, followOtherTabs, sessionQuery } from '../../api/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { VisitorCard } from '../../parts/page/visitor-card.tsx';
import { SetUpSecondFactor, type SetUpStep } from '../../parts/second-factor/set-up-second-factor.tsx';
import { SignOutLink } from '../sign-in/sign-out-link.tsx';

/** Stands in place of the console while an operator lacks a mandatory second factor. */
export function SecondFactorPage() {
  const { settings } = useTexts();
  const { next = '/' } = useSearch({ from: '/second-factor' });
  const router = useRouter();
  const client = useQueryClient();
  const [step, setStep] = useState<SetUpStep>('password');
  const { data: session } = useSuspenseQuery(sessionQuery);
  const hasEnded = useSyncExternalStore(endedSession.subscribe, endedSession.read);
  useEffect(() => followOtherTabs(client), [client]);
  const enter = async () => {
    // The session has the tenants only now.
    await client.refetchQueries({ queryKey: sessionQuery.queryKey });
    router.history.replace(next.startsWith('/console') ? next : `/console${next}`);
  };
  if (session === null || hasEnded) return <Navigate to="/sign-in" search={{ next }} replace ignoreBlocker />;
  return (
    <VisitorCard title={settings.factor.setUp} help={settings.factor.setUpHelp(session.operator.username)}>
      <SetUpSecondFactor onStep={setStep} onDone={enter} />
      {step !== 'codes' && <SignOutLink disabled={step === 'confirming'} />}
    </VisitorCard>
  );
}
