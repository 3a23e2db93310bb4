import type { Language } from '../../i18n/texts.ts';
import { advice as adviceInChinese } from '../../i18n/zh/advice.ts';
import { findings as findingsInChinese } from '../../i18n/zh/findings.ts';
import { sayReason } from '../../i18n/zh/reasons.ts';

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

/** A finding in the reader's language. */
interface SaidInLanguage {
  readonly message: string;
  readonly advice?: string | undefined;
  /** The system's own English message, when the Chinese sentence says less. */
  readonly original?: string | undefined;
}

/** Says a finding in the reader's language, or in English if the console does not know it, as with a newer server. */
export function sayFinding({ message, advice, said, advised }: Found, language: Language): SaidInLanguage {
  if (language === 'en') return { message: asSentence(message), advice };
  const inChinese = say(findingsInChinese, said);
  return {
    message: inChinese ?? message,
    advice: say(adviceInChinese, advised) ?? advice,
    original: inChinese === undefined ? undefined : originalOf(said),
  };
}

/** The command says findings as parts of a sentence; a page, as sentences. The name of a command keeps its letters. */
function asSentence(text: string): string {
  const begun = /^(?:serve|fieldroster)\b/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.…]$/.test(begun) ? begun : `${begun}.`;
}

function originalOf(said: Said | undefined): string | undefined {
  const { reason } = (said?.values ?? {}) as { readonly reason?: unknown };
  return typeof reason === 'string' && sayReason(reason).needsOriginal ? reason : undefined;
}

function say(sentences: object, said: Said | undefined): string | undefined {
  if (said === undefined || !Object.hasOwn(sentences, said.key)) return undefined;
  return (sentences as Readonly<Record<string, (values: unknown) => string>>)[said.key]?.(said.values);
}
