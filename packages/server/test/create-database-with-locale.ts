import { randomBytes } from 'node:crypto';
import { runSql } from './test-postgres.ts';

/** The end of a statement that creates a database, for the locales that differ most in upper and lower case. */
export const locales = {
  C: "lc_collate 'C' lc_ctype 'C' locale_provider libc",
  'C.UTF-8': "lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8' locale_provider libc",
  ICU: icuLocale('und'),
};

export function icuLocale(language: string): string {
  return `lc_collate 'C' lc_ctype 'C' locale_provider icu icu_locale '${language}'`;
}

/**
 * Creates an empty database, and returns its URL.
 *
 * @param serverUrl of the server's maintenance database
 * @param locale the end of the statement that creates it
 */
export async function createDatabaseWithLocale(serverUrl: string, locale: string): Promise<string> {
  const url = new URL(serverUrl);
  const name = `locale_${randomBytes(6).toString('hex')}`;
  await runSql(url.href, `create database ${name} encoding 'UTF8' ${locale} template template0`);
  url.pathname = name;
  return url.href;
}
