import { describeProblem, type Problem, problemTexts } from '@fieldroster/contract/problems';
import { looksLikeSeveralStores } from '@fieldroster/tables';
import type { Texts } from '../../../i18n/texts.ts';
import type { ImportKind } from '../job/import-job.ts';

/** What is wrong with a row, as an English message and, unless the console has no words for it, as data. */
export interface WrongRow {
  readonly message: string;
  readonly problems?: readonly Problem[] | undefined;
}

/** Says each mistake of a row in the reader's language; returns nothing for a row without any. */
export function sayRowProblems(
  texts: Texts,
  kind: ImportKind,
  { message, problems }: WrongRow,
): readonly string[] {
  const said = problems?.map((problem) => sayRowProblem(texts, kind, problem)) ?? [undefined];
  const known = said.filter((each) => each !== undefined);
  if (known.length === said.length) return known;
  // The message says all of the mistakes.
  return message === '' ? [] : [message];
}

/**
 * Says in the reader's language what is wrong with a row; `undefined` for a problem from a newer server. Names fields as
 * the import labels its columns. Begins with a capital letter, unlike the command, which writes the same text behind the
 * number of the line. If the row needs the id of a role or an organization, also says which page lists the ids; if a
 * cell joins store codes otherwise than by `;`, also how to separate them.
 */
function sayRowProblem(texts: Texts, kind: ImportKind, problem: Problem): string | undefined {
  const named = withColumnName(texts, kind, problem);
  const said = describeProblem(texts.problems, named) ?? describeProblem(problemTexts, named);
  if (said === undefined) return undefined;
  const { importTexts } = texts;
  const begun = said.charAt(0).toUpperCase() + said.slice(1);
  if (kind === 'users' && joinsStores(problem)) return importTexts.advised(begun, importTexts.separateStores);
  const needed = idsNeeded(kind, problem);
  return needed === undefined ? begun : importTexts.advised(begun, importTexts.whereIds[needed]);
}

function joinsStores({ key, values }: Problem): boolean {
  return key === 'noStores' && values.codes.some(looksLikeSeveralStores);
}

function withColumnName({ importTexts, changes }: Texts, kind: ImportKind, problem: Problem): Problem {
  const field = fieldOf(problem);
  if (field === undefined) return problem;
  const names: Readonly<Record<string, string>> = {
    ...importTexts.fields[kind],
    ...(kind === 'users' && {
      store_codes: importTexts.kinds.stores,
      role_id: changes.fields.role_id ?? 'role_id',
      org_id: changes.fields.org_id ?? 'org_id',
    }),
  };
  const name = names[field] ?? field;
  return { ...problem, values: { ...problem.values, field: name } } as Problem;
}

/** Returns the name of the field alone: `role_id` of `users[3].role_id`, whose place is that in the request. */
function fieldOf({ values }: Problem): string | undefined {
  if (!('field' in values)) return undefined;
  const { field } = values;
  const [name = field] = field.slice(field.lastIndexOf('.') + 1).split('[');
  return name;
}

/** Problems that any field can have. */
const ofAnyField: ReadonlySet<string> = new Set(['notWhole', 'isList', 'outOfRange', 'integerOutOfRange']);

const ofRoles: ReadonlySet<string> = new Set(['noRole', 'noRoleNamed']);

const ofOrgs: ReadonlySet<string> = new Set(['noOrg', 'noParent', 'noOrgNamed']);

/** Returns the list in which the reader finds the id that corrects the row; `undefined` if the row needs no id. */
export function idsNeeded(kind: ImportKind, problem: Problem): 'roles' | 'orgs' | undefined {
  if (ofRoles.has(problem.key)) return 'roles';
  if (ofOrgs.has(problem.key)) return 'orgs';
  if (!ofAnyField.has(problem.key)) return undefined;
  const field = fieldOf(problem);
  if (kind === 'users' && field === 'role_id') return 'roles';
  return field === 'org_id' || field === 'parent_id' ? 'orgs' : undefined;
}
