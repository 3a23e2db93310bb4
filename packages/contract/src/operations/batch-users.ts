import { Type } from 'typebox';
import {
  dryRun,
  entriesCheckedOneByOne,
  flag,
  int32,
  int64,
  newUsername,
  oneOf,
  optionalFields,
  password,
  secretText,
  storeCode,
  text,
  userFields,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { defineOperation } from '../operation.ts';

const entry = Type.Object({
  username: newUsername,
  ...optionalFields({
    ...userFields,
    password,
    password_hash: secretText(
      'A hash instead of a password: $argon2id$v=19$m=…,t=…,p=…$salt$hash (or argon2i), $2b$cost$… (or 2a, 2y), $scrypt$ln=…,r=…,p=…$salt$hash, or $pbkdf2-sha256$i=…$salt$hash (or sha512)',
      limits.passwordHashCharactersMax,
    ),
    role_id: int64(
      'Role to bind, replacing the previous one; 0: no change. To remove it, use unbind-user-role',
    ),
    org_id: int64(
      'Organization to bind, replacing the previous one; 0: no change. To remove it, use unbind-user-org',
    ),
    store_codes: Type.Array(storeCode, {
      maxItems: limits.storeCodesMax,
      description: 'The stores that the user has afterwards; if left out or null, they stay',
    }),
  }),
});

const change = Type.Object({
  field: text('Name of the field'),
  from: text(
    'Value before, as text; empty for a new user and, below the scope manage, for ext_info, which no query returns',
  ),
  to: text('Value after, as text; for a password, only that it was set or replaced'),
});

const outcome = Type.Object({
  index: int32('Position of the entry, from 0'),
  username: text('Login name of the entry'),
  outcome: oneOf('What happened to the user (what would have, if applied is false)', [
    'created',
    'updated',
    'unchanged',
    'failed',
  ]),
  id: int64('Id of the user; 0 if the entry failed, or if a user would have been created but was not'),
  code: int32('0, or the code of the failure'),
  message: text('Empty, or what is wrong with the entry'),
  changes: Type.Array(change),
  stores_added: Type.Array(text('Code of the store')),
  stores_removed: Type.Array(text('Code of the store')),
});

export const batchUsers = defineOperation({
  name: 'batch-users',
  method: 'POST',
  path: '/users/batch',
  access: 'write',
  repeatable: true,
  summary: 'Create or update many users with their bindings',
  description: `Does for each entry what batch-update-user-stores (POST /user/stores) does for one user, also sets its other fields, its role and its organization, and returns an outcome for each, in the order of the entries. An entry that fails changes nothing and does not affect the others, unless atomic is true: then nothing is applied, and the answer is 0 with applied false. The code of such an entry is 1001, 1201, 1301 or 1401. A dry run reports the same outcomes and changes nothing. Neither a failed atomic batch nor a dry run counts as processed, so the same signed request may be sent again. Any other batch does, even if every entry failed. If its answer is lost, a dry run of the same users shows which entries fail or still differ from the directory. One that failed may differ instead of failing, if its role, for example, has been added since; send such entries again. A dry run always reports a password as a difference. At most ${limits.batchPasswordsMax} entries may have a password, because the server must hash each; password_hash costs nothing. One request may take at most ${limits.batchStoresTakenMax} stores from its users: a user whose m stores become n counts as m - n. The code of a request that takes more is 1001, and nothing is applied. An entry has no if_revision and no status: like other unknown fields, both are ignored. Use update-user and set-user-status for them.`,
  body: Type.Object({
    users: entriesCheckedOneByOne(entry, {
      minItems: 1,
      maxItems: limits.batchEntriesMax,
      description: 'Users; a second entry for the same user fails',
    }),
    ...optionalFields({
      dry_run: dryRun,
      atomic: flag('Apply all entries or none'),
    }),
  }),
  bodyLimit: 'bulk',
  data: Type.Object({
    applied: Type.Boolean({
      description:
        'False for a dry run, and for an atomic batch in which an entry fails. True otherwise, even if every entry failed or was unchanged',
    }),
    created: int32('Users created; if applied is false, those that would have been'),
    updated: int32('Users changed; if applied is false, those that would have been'),
    unchanged: int32('Users that needed no change'),
    failed: int32('Entries that failed'),
    results: Type.Array(outcome),
  }),
  successMessage: '',
  codes: [1002],
});
