import type { Page } from 'playwright-core';
import { ownerPassword } from '../../e2e/console/console-page.ts';
import { en, type Texts } from '../../packages/console/src/i18n/en.ts';
import { zh } from '../../packages/console/src/i18n/zh.ts';
import type { ConsoleView } from './console-views.ts';

/** Matches a text of the console in either language. */
function either(pick: (texts: Texts) => string): RegExp {
  const exact = [en, zh].map(pick).map((text) => RegExp.escape(text));
  return new RegExp(`^(${exact.join('|')})$`);
}

const button = (page: Page, pick: (texts: Texts) => string) =>
  page.getByRole('button', { name: either(pick) }).last();

const dialog = (page: Page) => page.getByRole('dialog').last();

const issueApplication = async (page: Page) => {
  await button(page, ({ applications }) => applications.issue).click();
  await dialog(page).getByRole('textbox').first().fill('Warehouse');
};

const showSecret = async (page: Page) => {
  await issueApplication(page);
  await button(page, ({ applications }) => applications.issue).click();
  await dialog(page).locator('pre').waitFor();
};

const rotateSecret = async (page: Page) => {
  await page.locator('tbody tr').first().click();
  await button(page, ({ applications }) => applications.rotate).click();
  await dialog(page).getByRole('combobox').waitFor();
};

/** The files so far: each has users whom the imports before did not add. */
let files = 0;

function nextFile(): Buffer {
  files++;
  const rows = [
    'Login,Full name,Telephone,Branch',
    `mara.okafor,Mara Okafor (${files}),+44 20 7946 0100,x`,
    `ines.duarte${files},Inês Duarte,+351 21 000 0000,x`,
    `li.wei${files},Li Wei,+86 21 0000 0000,x`,
    `ines.duarte${files},Inês Duarte,+351 21 000 0001,x`,
    ',Somebody,+1 555 0100,x',
  ];
  return Buffer.from(rows.join('\n'));
}

const chooseFile = async (page: Page) => {
  const discard = button(page, ({ importTexts }) => importTexts.discard);
  const choose = button(page, ({ importTexts }) => importTexts.choose);
  const again = button(page, ({ importTexts }) => importTexts.again);
  await choose.or(discard).or(again).first().waitFor();
  if ((await choose.count()) === 0) await discard.or(again).first().click();
  const chosen = page.waitForEvent('filechooser');
  await choose.click();
  await (await chosen).setFiles({ name: 'staff.csv', mimeType: 'text/csv', buffer: nextFile() });
  await button(page, ({ importTexts }) => importTexts.showPreview).waitFor();
};

const previewImport = async (page: Page) => {
  await chooseFile(page);
  await button(page, ({ importTexts }) => importTexts.showPreview).click();
  await page.getByRole('button', { name: /^(Import \d|导入 \d)/ }).waitFor();
};

const runImport = async (page: Page) => {
  await previewImport(page);
  await page.getByRole('button', { name: /^(Import \d|导入 \d)/ }).click();
  await button(page, ({ importTexts }) => importTexts.download).waitFor();
};

const openPalette = async (page: Page) => {
  await page.keyboard.press('Control+k');
  await dialog(page).getByRole('combobox').waitFor();
};

const searchPalette = async (page: Page) => {
  await openPalette(page);
  await page.keyboard.type('ma');
  await dialog(page).getByRole('option', { name: /Mara/ }).waitFor();
};

const searchNothing = async (page: Page) => {
  await openPalette(page);
  await page.keyboard.type('nobody-at-all');
  await dialog(page)
    .getByText(either(({ palette }) => palette.nothing))
    .waitFor();
};

const showShortcuts = async (page: Page) => {
  await page.keyboard.press('?');
  await dialog(page).locator('kbd').first().waitFor();
};

const openMenuOf = async (page: Page, name: string) => {
  await page.getByRole('button', { name: new RegExp(`(: |：)${name}$`) }).click();
};

const removeOrg = (name: string) => async (page: Page) => {
  await openMenuOf(page, name);
  await page.getByRole('menuitem', { name: either(({ orgs }) => orgs.remove) }).click();
  await dialog(page).getByText(name).first().waitFor();
};

const confirmRemoval = async (page: Page) => {
  await removeOrg('Harbour team')(page);
  await dialog(page).getByRole('textbox').fill('Harbour team');
};

const removeRole = async (page: Page) => {
  await openMenuOf(page, 'Sales representative');
  await page.getByRole('menuitem', { name: either(({ targetsPages }) => targetsPages.roles.remove) }).click();
  await dialog(page).getByRole('textbox').waitFor();
};

const revokeApplication = async (page: Page) => {
  await page.locator('tbody tr').first().click();
  await button(page, ({ applications }) => applications.revoke).click();
  await dialog(page).getByRole('textbox').waitFor();
};

const refuseSignIn = async (page: Page) => {
  const fields = page.locator('form input');
  await fields.nth(0).fill('mo');
  await fields.nth(1).fill('wrong');
  await button(page, ({ signIn }) => signIn.submit).click();
  await page.getByRole('alert').waitFor();
};

const sendIncomplete = async (page: Page) => {
  const name = either(({ users }) => users.add);
  await page.getByRole('button', { name }).first().click();
  await dialog(page).getByRole('button', { name }).click();
  await dialog(page).locator('[aria-invalid=true]').first().waitFor();
};

const setUpSecondFactor = async (page: Page) => {
  await button(page, ({ settings }) => settings.factor.turnOn).click();
  await dialog(page).locator('input[type="password"]').fill(ownerPassword);
  await button(page, ({ settings }) => settings.factor.next).click();
  await dialog(page).getByRole('img').first().waitFor();
};

const openInLab = async (page: Page) => {
  await page.locator('tbody tr').first().click();
  await page.getByRole('link', { name: either(({ requests }) => requests.openInLab) }).click();
  await page.locator('main textarea').first().waitFor();
};

const compareInLab = async (page: Page) => {
  await openInLab(page);
  const signedString = page.getByLabel(either(({ lab }) => lab.signedString));
  await signedString.fill('get\n1767225600\n3f2c9a4e\n/user?username=mara.okafor');
  await page.getByRole('heading').nth(2).waitFor();
};

const moveStore = async (page: Page) => {
  await page.getByRole('checkbox').nth(1).check();
  await page.getByRole('button', { name: /^(Move 1 store|转移 1 家门店)$/ }).click();
  await button(page, ({ general }) => general.undo).waitFor();
};

const moveBack = async (page: Page) => {
  await button(page, ({ general }) => general.undo).click();
  await page.getByText(/is back with|已退回给/).waitFor();
};

/** The dialogs and answers of the console during its tasks, step by step. */
export const taskViews: readonly ConsoleView[] = [
  { name: 'user-incomplete', path: 'users', prepare: sendIncomplete },
  { name: 'issue', path: 'applications', prepare: issueApplication },
  { name: 'issue-secret', path: 'applications', prepare: showSecret },
  { name: 'rotate', path: 'applications', prepare: rotateSecret },
  { name: 'revoke', path: 'applications', prepare: revokeApplication },
  { name: 'import-columns', path: 'import', prepare: chooseFile },
  { name: 'import-preview', path: 'import', prepare: previewImport },
  { name: 'import-result', path: 'import', prepare: runImport },
  { name: 'palette', path: 'users', prepare: openPalette },
  { name: 'palette-found', path: 'users', prepare: searchPalette },
  { name: 'palette-nothing', path: 'users', prepare: searchNothing },
  { name: 'shortcuts', path: 'users', prepare: showShortcuts },
  { name: 'delete-org', path: 'orgs', prepare: removeOrg('Harbour team') },
  { name: 'delete-org-confirmed', path: 'orgs', prepare: confirmRemoval },
  { name: 'delete-org-blocked', path: 'orgs', prepare: removeOrg('North region') },
  { name: 'delete-role', path: 'roles', prepare: removeRole },
  { name: 'sign-in', path: '/sign-in' },
  { name: 'sign-in-refused', path: '/sign-in', prepare: refuseSignIn },
  { name: 'link-used', path: '/link#used' },
  { name: 'second-factor', path: 'settings', prepare: setUpSecondFactor },
  { name: 'lab-recorded', path: 'requests?code=1014', prepare: openInLab },
  { name: 'lab-compared', path: 'requests?code=1014', prepare: compareInLab },
  { name: 'requests-of-days', path: 'requests?from=2001-01-31&until=2101-01-31' },
  { name: 'requests-none-then', path: 'requests?from=2001-01-01&until=2001-01-31' },
  { name: 'moved', path: 'move-stores?from=3&to=2', prepare: moveStore, afterwards: moveBack },
  { name: 'empty-overview', path: '/t/2' },
  { name: 'empty-users', path: '/t/2/users' },
  { name: 'empty-stores', path: '/t/2/stores' },
  { name: 'empty-orgs', path: '/t/2/orgs' },
  { name: 'empty-applications', path: '/t/2/applications' },
  { name: 'empty-requests', path: '/t/2/requests' },
];
