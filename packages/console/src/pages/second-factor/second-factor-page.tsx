import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Navigate, useRouter, useSearch } from '@tanstack/react-router';
import { useState, useSyncExternalStore } from 'react';
import { endedSession, sessionQuery } from '../../api/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useDiscardGuard } from '../../parts/fields/use-discard-guard.tsx';
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
  const { question } = useDiscardGuard(step === 'confirming', 'making');
  const enter = async () => {
    // The session has the tenants only now.
    await client.refetchQueries({ queryKey: sessionQuery.queryKey });
    if (endedSession.read()) return router.navigate({ to: '/sign-in', search: { next }, replace: true });
    router.history.replace(next.startsWith('/console') ? next : `/console${next}`);
  };
  // The recovery codes are shown only once, so they stay even if the session ends meanwhile, as does the notice that they
  // were lost.
  const keepsCodes = step === 'codes' || step === 'confirming' || step === 'lost';
  if (session === null || (hasEnded && !keepsCodes))
    return <Navigate to="/sign-in" search={{ next }} replace ignoreBlocker />;
  return (
    <VisitorCard title={settings.factor.setUp} help={settings.factor.setUpHelp(session.operator.username)}>
      {question}
      <SetUpSecondFactor onStep={setStep} onDone={enter} />
      {step !== 'codes' && <SignOutLink disabled={step === 'confirming'} />}
    </VisitorCard>
  );
}
