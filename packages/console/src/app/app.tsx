import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { CallError, notSignedIn, onRefusal } from '../api/call.ts';
import {
  checkSession,
  lacksRight,
  lacksSecondFactorCode,
  otherOperatorCode,
  sessionQuery,
} from '../api/session.ts';
import {
  keepLanguage,
  type Language,
  LanguageContext,
  languages,
  loadTranslation,
  type Translation,
} from '../i18n/texts.ts';
import { lazyPart } from '../parts/loading/lazy-part.tsx';
import { LoadingBar } from './loading-bar.tsx';
import { makeRouter } from './router.tsx';
import { themeWithCloseLabel, variables } from './theme.ts';

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // A call repeats itself when its answer is lost. Repeating a refused one would change nothing.
      retry: false,
      staleTime: 10_000,
      // By default, nothing is sent while the browser believes that it is offline, and nothing says so.
      networkMode: 'always',
      refetchOnWindowFocus: (query) => !(query.state.error instanceof CallError),
    },
    // The data that a form sends and receives, such as passwords and secrets, leaves the memory with the form.
    mutations: { networkMode: 'always', gcTime: 0 },
  },
});

/** Calls that deal with the end of the session themselves. */
const aboutSession = ['querySession', 'signOut'];

// Asks for a sign-in, or for a second factor, as soon as the answer to any call shows that the session lacks it. Starts
// over as soon as one shows that the session is somebody else's. An owner may have taken a right away: the page then
// offers what is left.
onRefusal(({ code }, operation) => {
  if (code === notSignedIn && !aboutSession.includes(operation)) void checkSession(queryClient);
  if (code === lacksSecondFactorCode || code === otherOperatorCode || lacksRight.includes(code))
    queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
});

const router = makeRouter(queryClient);

// What index.html shows stays until the first page is there, whose code may arrive after that of the frame.
router.subscribe('onResolved', () => document.getElementById('first-paint')?.remove());

const colorSchemes = localStorageColorSchemeManager({ key: 'fieldroster-theme' });

/** The style elements of Mantine carry this nonce, which the server's policy admits. */
const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';

/** The library that stops the page behind a dialog from scrolling reads the nonce of its style element here. */
Object.assign(globalThis, { __webpack_nonce__: nonce });

/** Loads after the page, because a page is usable before it has anything to notify about. */
const NotificationList = lazyPart(async () => (await import('./notification-list.tsx')).NotificationList);

interface Props {
  /** The language to begin with. */
  readonly first: Translation;
}

export function App({ first }: Props) {
  const [translation, setTranslation] = useState(first);
  const { language, texts } = translation;
  useEffect(() => {
    document.documentElement.lang = languages[language].tag;
  }, [language]);
  const choice = useMemo(
    () => ({
      ...translation,
      setLanguage(next: Language) {
        keepLanguage(next);
        // Without an answer from the server, the page stays as it is until it is loaded again.
        loadTranslation(next).then(setTranslation, () => {});
      },
    }),
    [translation],
  );
  const theme = useMemo(() => themeWithCloseLabel(texts.general.close), [texts]);
  return (
    <LanguageContext value={choice}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        colorSchemeManager={colorSchemes}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <LoadingBar router={router} />
        <Suspense>
          <NotificationList />
        </Suspense>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </LanguageContext>
  );
}
