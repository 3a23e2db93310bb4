import { Type } from 'typebox';
import { int64, oneLineName, oneOf, text, time } from '../fields.ts';
import { consoleLimits } from './console-limits.ts';
import { defineConsoleOperation, operatorRoles } from './console-operation.ts';
import { password } from './password-fields.ts';

const role = oneOf('What the operator may do', operatorRoles);

const tenantIds = Type.Array(int64('Id of a tenant'), {
  description: 'The tenants that the operator has access to; ignored with all_tenants',
});

const allTenants = Type.Boolean({ description: 'Access to every tenant, and to the deployment' });

const operatorId = int64('Id of the operator');

const status = oneOf('A disabled operator cannot sign in', ['active', 'disabled']);

const link = Type.Object({
  token: text('Append it to the address of the console, after `/link#`'),
  expires_at: time('When it ends'),
});

const linkId = text('Identifies the link; it cannot be used to open it');

const openLink = Type.Object({
  id: linkId,
  operator_id: Type.Optional(int64('The operator whose password it resets; absent for an invitation')),
  role,
  all_tenants: allTenants,
  tenant_ids: tenantIds,
  made_by: Type.Optional(int64('The operator who made it; absent for a command or the first start')),
  expires_at: time('When it ends'),
});

export const listOperators = defineConsoleOperation({
  name: 'list-operators',
  method: 'GET',
  path: '/operators',
  reach: 'deployment',
  role: 'owner',
  summary: 'List every operator, and the one-time links that can still be used',
  data: Type.Object({
    operators: Type.Array(
      Type.Object({
        id: operatorId,
        username: text('Login name'),
        role,
        all_tenants: allTenants,
        tenant_ids: tenantIds,
        status,
        second_factor: Type.Boolean({ description: 'Whether signing in asks for a code' }),
        created_at: time('When the account was created'),
        last_seen_at: Type.Optional(time('When the operator last used the console')),
      }),
    ),
    open_links: Type.Array(openLink, { description: 'The first to end comes first' }),
  }),
  codes: [],
});

export const inviteOperator = defineConsoleOperation({
  name: 'invite-operator',
  method: 'POST',
  path: '/operators',
  reach: 'deployment',
  role: 'owner',
  summary: 'Create a one-time link that creates an operator',
  body: Type.Object({ role, all_tenants: allTenants, tenant_ids: tenantIds, password }),
  data: link,
  answeredOnce: true,
  codes: [1602, 1606],
});

export const updateOperator = defineConsoleOperation({
  name: 'update-operator',
  method: 'PUT',
  path: '/operators',
  reach: 'deployment',
  role: 'owner',
  summary: "Change an operator's role, tenants or status; its sessions see the change at once",
  body: Type.Object({
    id: operatorId,
    role: Type.Optional(role),
    all_tenants: Type.Optional(allTenants),
    tenant_ids: Type.Optional(tenantIds),
    status: Type.Optional(status),
    password,
  }),
  codes: [1602, 1606, 1608, 1612],
});

export const resetOperator = defineConsoleOperation({
  name: 'reset-operator',
  method: 'POST',
  path: '/operators/reset',
  reach: 'deployment',
  role: 'owner',
  summary: "Create a one-time link that sets another operator's password and turns the second factor off",
  body: Type.Object({ id: operatorId, password }),
  data: link,
  answeredOnce: true,
  codes: [1602, 1608, 1624],
});

export const withdrawLink = defineConsoleOperation({
  name: 'withdraw-link',
  method: 'DELETE',
  path: '/operators/link',
  reach: 'deployment',
  role: 'owner',
  summary: 'End a one-time link that has not been used',
  body: Type.Object({ id: linkId, password }),
  codes: [1602, 1622],
});

export const createTenant = defineConsoleOperation({
  name: 'create-tenant',
  method: 'POST',
  path: '/tenants',
  reach: 'deployment',
  role: 'owner',
  summary: 'Create a tenant',
  body: Type.Object({
    name: oneLineName('Name of the tenant', consoleLimits.tenantNameCharactersMax),
  }),
  data: Type.Object({ id: int64('Id of the tenant'), name: text('Name of the tenant') }),
  codes: [1613],
});
