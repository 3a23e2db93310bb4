import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { callsThatShow } from './shows-person.ts';

const person = (username: string) => ({ username, userIds: [5n], texts: [username, 'Tom', 'S\u00a01'] });

const call = (target: string, message = 'refused', stringsToSign?: string[]) => ({
  target,
  message,
  cause: null,
  strings_to_sign: stringsToSign === undefined ? null : JSON.stringify(stringsToSign),
  isOfAnotherTenant: false,
});

/** Each username, with targets and messages that show its person. */
const shown: [string, ...Parameters<typeof call>][] = [
  ['an', '/user?user_id=5'],
  ['an', '/user?user_id=5&username='],
  ['an', '/user?x=1&user_id=%205'],
  ['an', '/user?user_id=+5'],
  ['an', '/user?user_id=05'],
  ['an', '/user?user_id=4,5'],
  ['an', '/user?user_id%3D5'],
  ['an', '/user?id=5'],
  ['an', '/user/role', 'no user has id 5'],
  ['an', '/user/role', 'user 5 is not bound to role 7'],
  ['an', '/user', 'refused', ['GET\n1\nn\n/user?user_id=5']],
  ['an', '/user?username=an'],
  ['an', '/user?username=AN&x=1'],
  ['an', '/user?username=%20an%20'],
  ['an', '/user?username=%22an%22'],
  ['an', '/user?username=bo,an;cy'],
  ['an', '/user%3Fusername%3Dan'],
  ['a%41', '/user?username=a%2541'],
  ['an', '/users/an'],
  ['an', '/users?search=an+S1'],
  ['an', '/users?search=an@example.org'],
  ['an', '/user', 'no user has username "an"'],
  ['an', '/user', 'the user "an" is disabled'],
  ['an', '/user', 'unexpected an in the body'],
  ['a"n', '/user', 'no user has username "a\\"n"'],
  ['张\u3000三', '/user', 'the username "张\\u3000三" is taken'],
  ['张\u3000三', '/user', 'the username "张\u3000三" is taken'],
  ['an', '/user', 'the store "S\\u00a01" does not exist'],
  ['小美', '/user', '没有小美这个用户'],
  ['Zoë & co', '/user', 'refused', ['GET\n1\nn\n/user?if_revision=1&username=Zoe\u0308 & co']],
  ['mara.okafor', '/user?username=mara.ok…'],
  ['mara.okafor', '/user?username=mara.okafor…'],
  ['an', '/users?search=Tom+Jones'],
];

const ofOthers: [string, ...Parameters<typeof call>][] = [
  ['an', '/users?role_id=5'],
  ['an', '/users?role_id=5&org_id=5&limit=0'],
  ['an', '/user?user_id=55'],
  ['an', '/user?user_id=15&x=1'],
  ['an', '/org?id=5'],
  ['an', '/role?id=5'],
  ['an', '/user/role', 'user 7 is not bound to role 5'],
  ['an', '/user/role', 'no role has id 5'],
  ['an', '/user/role', 'no user has id 55'],
  ['an', '/user?username=anna'],
  ['an', '/user?username=an.na'],
  ['an', '/user?username=anna%20an%20na'],
  ['an', '/user?username=stefan&x=1'],
  ['an', '/organizations'],
  ['an', '/users?search=Hannah'],
  ['an', '/users?search=Tomaten'],
  ['an', '/user', 'no user has username "jo an"'],
  ['an', '/user', 'the organization cannot be deleted'],
  ['mara', '/user?username=mara.okafor', 'no user has username "mara.okafor"'],
  ['mara.okafor', '/user?username=mira…'],
];

describe('a failed call', () => {
  for (const [username, ...texts] of shown) {
    test(`shows '${username}', id 5: ${JSON.stringify(texts)}`, () => {
      assert.equal(callsThatShow(person(username))(call(...texts)), true);
    });
  }

  for (const [username, ...texts] of ofOthers) {
    test(`shows somebody other than '${username}', id 5: ${JSON.stringify(texts)}`, () => {
      assert.equal(callsThatShow(person(username))(call(...texts)), false);
    });
  }

  test('of an application of another tenant shows that tenant’s user of the same id', () => {
    const other = { ...call('/user?user_id=5'), isOfAnotherTenant: true };
    assert.equal(callsThatShow(person('an'))(other), false);
    assert.equal(callsThatShow(person('an'))({ ...other, target: '/user?username=an' }), true);
  });
});

test('the texts of a person are made comparable once, however many calls there are', () => {
  let reads = 0;
  const shows = callsThatShow({
    ...person('an'),
    get texts() {
      reads += 1;
      return ['an', 'Tom'];
    },
  });
  for (let count = 0; count < 10; count += 1) assert.equal(shows(call('/users?search=Tom+Jones')), true);
  assert.equal(reads, 1);
});
