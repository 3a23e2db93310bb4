import type { Texts } from './en.ts';
import { applications } from './zh/applications.ts';
import { audit } from './zh/audit.ts';
import { bulk } from './zh/bulk.ts';
import { changes } from './zh/changes.ts';
import { codes, otherCode } from './zh/codes.ts';
import { discard } from './zh/discard.ts';
import { failure } from './zh/failure.ts';
import { general } from './zh/general.ts';
import { help } from './zh/help.ts';
import { importTexts } from './zh/import.ts';
import { lab } from './zh/lab.ts';
import { link } from './zh/link.ts';
import { moveStores } from './zh/move-stores.ts';
import { navigation } from './zh/navigation.ts';
import { orgs } from './zh/orgs.ts';
import { overview } from './zh/overview.ts';
import { palette } from './zh/palette.ts';
import { problems } from './zh/problems.ts';
import { refusals } from './zh/refusals.ts';
import { requests } from './zh/requests.ts';
import { settings } from './zh/settings.ts';
import { signIn } from './zh/sign-in.ts';
import { targets } from './zh/targets.ts';
import { targetsPages } from './zh/targets-pages.ts';
import { users } from './zh/users.ts';

/** 简体中文文案。 */
export const zh: Texts = {
  product: 'Fieldroster',
  general,
  failure,
  refusals,
  problems,
  discard,
  changes,
  signIn,
  link,
  roles: { viewer: '查看者', manager: '管理者', owner: '所有者' },
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
