import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import './app/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { keepFocus } from './app/keep-focus.ts';
import { printInLight } from './app/print-in-light.ts';
import { firstLanguage, loadTranslation } from './i18n/texts.ts';
import { watchComposing } from './parts/fields/composing.ts';

keepFocus();
printInLight();
watchComposing();
const root = document.getElementById('root');
if (root === null) throw new TypeError('the page has no root');
createRoot(root).render(
  <StrictMode>
    <App first={await loadTranslation(firstLanguage())} />
  </StrictMode>,
);
