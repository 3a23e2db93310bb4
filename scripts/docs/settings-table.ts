import { settingDefinitions } from '@fieldroster/server/admin';
import { markdownTable } from './markdown-table.ts';

/** Renders the settings of `serve`, as the server defines them. */
export function settingsTable(): string {
  return markdownTable(
    ['flag', 'environment variable', 'default', 'meaning'],
    settingDefinitions.map(({ flag, environment, defaultText, description }) => [
      `\`${flag}\``,
      `\`${environment}\``,
      defaultText === '' ? '(empty)' : `\`${defaultText}\``,
      description,
    ]),
  );
}
