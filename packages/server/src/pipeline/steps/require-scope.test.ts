import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '@fieldroster/contract';
import { ApiError } from '../../errors/api-error.ts';
import { requireScope } from './require-scope.ts';

/** The operations that each scope may call, written down here and not taken from the contract's order. */
const permitted = {
  read: ['read'],
  write: ['read', 'write'],
  manage: ['read', 'write', 'manage'],
} as const;

for (const scope of ['read', 'write', 'manage'] as const) {
  test(`the scope ${scope} permits ${permitted[scope].join(', ')} and refuses the rest with 1016`, () => {
    const application = { appId: 'app-scope', tenantId: 1n, scope };
    for (const operation of Object.values(operations)) {
      const check = () => requireScope(operation, application);
      if ((permitted[scope] as readonly string[]).includes(operation.access)) {
        check();
        continue;
      }
      assert.throws(check, (error) => {
        assert.ok(error instanceof ApiError && error.code === 1016, operation.name);
        assert.ok(error.message.startsWith(`${operation.name} needs the scope ${operation.access}; `));
        const end = `the application app-scope has the scope ${scope}: ask the operator for ${operation.access}`;
        assert.ok(error.message.endsWith(end));
        return true;
      });
    }
  });
}
