import { createContext, useContext } from 'react';
import type { Texts } from './en.ts';
import { localeOf } from './locale.ts';

export type { Texts } from './en.ts';

/** The languages. Only the reader's texts are loaded. */
export const languages = {
  en: { load: async (): Promise<Texts> => (await import('./en.ts')).en, name: 'English', tag: 'en' },
  zh: { load: async (): Promise<Texts> => (await import('./zh.ts')).zh, name: '简体中文', tag: 'zh-CN' },
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

/** A language with its texts. */
export interface Translation {
  readonly language: Language;
  readonly texts: Texts;
}

export async function loadTranslation(language: Language): Promise<Translation> {
  return { language, texts: await languages[language].load() };
}

export interface LanguageChoice extends Translation {
  readonly setLanguage: (language: Language) => void;
}

export const LanguageContext = createContext<LanguageChoice | undefined>(undefined);

export function useLanguage(): LanguageChoice {
  const choice = useContext(LanguageContext);
  if (choice === undefined) throw new TypeError('there is no LanguageContext');
  return choice;
}

/** Returns the texts in the reader's language. */
export function useTexts(): Texts {
  return useLanguage().texts;
}

/** Returns the locale in which to write times and numbers. */
export function useLocale(): string {
  return localeOf(languages[useLanguage().language].tag, navigator.languages);
}
