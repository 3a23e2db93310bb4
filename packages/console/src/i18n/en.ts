import { applications } from './en/applications.ts';
import { audit } from './en/audit.ts';
import { bulk } from './en/bulk.ts';
import { changes } from './en/changes.ts';
import { codes, otherCode } from './en/codes.ts';
import { discard } from './en/discard.ts';
import { failure } from './en/failure.ts';
import { general } from './en/general.ts';
import { help } from './en/help.ts';
import { importTexts } from './en/import.ts';
import { lab } from './en/lab.ts';
import { link } from './en/link.ts';
import { moveStores } from './en/move-stores.ts';
import { navigation } from './en/navigation.ts';
import { orgs } from './en/orgs.ts';
import { overview } from './en/overview.ts';
import { palette } from './en/palette.ts';
import { problems } from './en/problems.ts';
import { refusals } from './en/refusals.ts';
import { requests } from './en/requests.ts';
import { settings } from './en/settings.ts';
import { signIn } from './en/sign-in.ts';
import { targets } from './en/targets.ts';
import { targetsPages } from './en/targets-pages.ts';
import { users } from './en/users.ts';

/** English texts, by page. A text with parts that vary is a function. */
export const en = {
  product: 'Fieldroster',
  general,
  failure,
  refusals,
  problems,
  discard,
  changes,
  signIn,
  link,
  roles: { viewer: 'a viewer', manager: 'a manager', owner: 'an owner' },
  navigation,
  help,
  codes,
  otherCode,
  overview,
  requests,
  users,
  moveStores,
  settings,
  applications,
  audit,
  targets,
  orgs,
  palette,
  lab,
  bulk,
  importTexts,
  targetsPages,
};

/** Every text of the console. The English texts define the names; the compiler reports a missing translation. */
export type Texts = typeof en;
