import type { Language } from '../../i18n/texts.ts';
import { advice as adviceInChinese } from '../../i18n/zh/advice.ts';
import { findings as findingsInChinese } from '../../i18n/zh/findings.ts';

interface Said {
  readonly key: string;
  readonly values: unknown;
}

/** A finding as the server tells it: its sentences are in English, and come as data too. */
interface Found {
  readonly message: string;
  readonly advice?: string | undefined;
  readonly said?: Said | undefined;
  readonly advised?: Said | undefined;
}

/** Says a finding in the reader's language; in English what the console does not know, such as one of a newer server. */
export function sayFinding({ message, advice, said, advised }: Found, language: Language) {
  if (language === 'en') return { message, advice };
  return {
    message: say(findingsInChinese, said) ?? message,
    advice: say(adviceInChinese, advised) ?? advice,
  };
}

function say(sentences: object, said: Said | undefined): string | undefined {
  if (said === undefined || !Object.hasOwn(sentences, said.key)) return undefined;
  return (sentences as Readonly<Record<string, (values: unknown) => string>>)[said.key]?.(said.values);
}
