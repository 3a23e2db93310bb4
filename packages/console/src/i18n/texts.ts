import { createContext, useContext } from 'react';
import { en, type Texts } from './en.ts';
import { zh } from './zh.ts';

export type { Texts } from './en.ts';

export const languages = {
  en: { texts: en, name: 'English', tag: 'en' },
  zh: { texts: zh, name: '简体中文', tag: 'zh-CN' },
} as const;

export type Language = keyof typeof languages;

const storageKey = 'fieldroster-language';

/** Returns the language chosen here before, else that of the browser. */
export function firstLanguage(): Language {
  const chosen = localStorage.getItem(storageKey);
  if (chosen === 'en' || chosen === 'zh') return chosen;
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

export function keepLanguage(language: Language): void {
  localStorage.setItem(storageKey, language);
}

export interface LanguageChoice {
  readonly language: Language;
  readonly setLanguage: (language: Language) => void;
}

export const LanguageContext = createContext<LanguageChoice>({ language: 'en', setLanguage: () => {} });

export function useLanguage(): LanguageChoice {
  return useContext(LanguageContext);
}

/** Returns the texts in the reader's language. */
export function useTexts(): Texts {
  return languages[useLanguage().language].texts;
}
