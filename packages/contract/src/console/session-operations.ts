import { Type } from 'typebox';
import { int64, name, oneLineName, oneOf, text, time } from '../fields.ts';
import { consoleLimits } from './console-limits.ts';
import { defineConsoleOperation, operatorRoles } from './console-operation.ts';
import { newPassword, password } from './password-fields.ts';

const operatorName = name('Login name of the operator', consoleLimits.operatorNameCharactersMax);

const newOperatorName = oneLineName('Login name of the operator', consoleLimits.operatorNameCharactersMax);

const secondFactor = Type.String({
  maxLength: 40,
  description: 'Six digits of the authenticator, or a recovery code',
});

/** Knowing the password alone must not be enough to change the second factor. */
const currentCode = Type.Optional(secondFactor);

const recoveryCodes = Type.Object({
  recovery_codes: Type.Array(text('Signs in once instead of a code'), { description: 'Shown only once' }),
});

const token = Type.String({ minLength: 1, maxLength: 100, description: 'The part of the link after `#`' });

const sessionId = text('Identifies the session; it cannot be used to sign in');

const role = oneOf('What the operator may do; each role includes those before it', operatorRoles);

const tenant = Type.Object({ id: int64('Id of the tenant'), name: text('Name of the tenant') });

const session = Type.Object({
  operator: Type.Object({
    id: int64('Id of the operator'),
    username: text('Login name'),
    role,
    all_tenants: Type.Boolean({ description: 'Access to every tenant, and to the deployment' }),
    second_factor: Type.Boolean({ description: 'Whether signing in asks for a code' }),
    second_factor_mandatory: Type.Boolean({
      description: 'Whether the operator must have a second factor, and can do nothing else without one',
    }),
    recovery_codes_left: Type.Integer({ description: 'Unused recovery codes; 0 without a second factor' }),
  }),
  tenants: Type.Array(tenant, {
    description:
      'Those that the operator has access to, by name; none while a mandatory second factor is missing',
  }),
  release: text('Release of the server'),
  base_path: text('Path before every signed operation'),
  operations_port: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Port of the signed operations; null when they share the port of the console',
  }),
  time: time("The server's time"),
});

export const signIn = defineConsoleOperation({
  name: 'sign-in',
  method: 'POST',
  path: '/session',
  reach: 'visitor',
  role: 'viewer',
  summary: 'Begin a session, whose token the answer sets as a cookie',
  body: Type.Object({ username: operatorName, password, code: Type.Optional(secondFactor) }),
  data: session,
  codes: [1602, 1603],
});

export const querySession = defineConsoleOperation({
  name: 'query-session',
  method: 'GET',
  path: '/session',
  reach: 'self',
  role: 'viewer',
  summary: 'Return who is signed in and what they may see',
  data: session,
  codes: [],
});

export const signOut = defineConsoleOperation({
  name: 'sign-out',
  method: 'DELETE',
  path: '/session',
  reach: 'self',
  role: 'viewer',
  summary: 'End this session',
  codes: [],
});

export const signOutEverywhere = defineConsoleOperation({
  name: 'sign-out-everywhere',
  method: 'DELETE',
  path: '/sessions',
  reach: 'self',
  role: 'viewer',
  summary: 'End every session of this operator, including this one',
  codes: [],
});

export const listSessions = defineConsoleOperation({
  name: 'list-sessions',
  method: 'GET',
  path: '/sessions',
  reach: 'self',
  role: 'viewer',
  summary: "List this operator's live sessions, the last begun first",
  data: Type.Object({
    sessions: Type.Array(
      Type.Object({
        id: sessionId,
        current: Type.Boolean({ description: 'Whether it is the session that asks' }),
        user_agent: Type.Optional(text('The browser that began it, as it names itself')),
        address: Type.Optional(text('The address from which it began')),
        created_at: time('When it began'),
        last_seen_at: time('When it was last used, to within a minute'),
      }),
    ),
  }),
  codes: [],
});

export const endSession = defineConsoleOperation({
  name: 'end-session',
  method: 'DELETE',
  path: '/sessions/one',
  reach: 'self',
  role: 'viewer',
  summary: 'End one session of this operator',
  body: Type.Object({ id: sessionId, password }),
  codes: [1602, 1619],
});

export const endOtherSessions = defineConsoleOperation({
  name: 'end-other-sessions',
  method: 'DELETE',
  path: '/sessions/others',
  reach: 'self',
  role: 'viewer',
  summary: 'End every session of this operator but this one',
  body: Type.Object({ password }),
  codes: [1602],
});

export const queryLink = defineConsoleOperation({
  name: 'query-link',
  method: 'POST',
  path: '/link/query',
  reach: 'visitor',
  role: 'viewer',
  summary: 'Return the purpose of a one-time link, without using it up',
  body: Type.Object({ token }),
  data: Type.Object({
    purpose: oneOf('What the link does', ['invite', 'reset']),
    role,
    username: text('The operator whose password it resets; empty for an invitation'),
    expires_at: time('When it ends'),
  }),
  codes: [1607],
});

export const useLink = defineConsoleOperation({
  name: 'use-link',
  method: 'POST',
  path: '/link',
  reach: 'visitor',
  role: 'viewer',
  summary: 'Use a one-time link: create the operator, or set a new password; then begin a session',
  body: Type.Object({ token, username: Type.Optional(newOperatorName), password: newPassword }),
  data: session,
  codes: [1607, 1609, 1620],
});

export const changePassword = defineConsoleOperation({
  name: 'change-password',
  method: 'PUT',
  path: '/password',
  reach: 'self',
  role: 'viewer',
  summary: 'Set a new password and end the other sessions',
  body: Type.Object({ password, new_password: newPassword }),
  codes: [1602, 1620],
});

export const beginSecondFactor = defineConsoleOperation({
  name: 'begin-second-factor',
  method: 'POST',
  path: '/second-factor',
  reach: 'self',
  role: 'viewer',
  summary:
    'Create a new TOTP secret, which takes effect once one of its codes is confirmed; with a second factor, this needs its code',
  body: Type.Object({ password, code: currentCode }),
  data: Type.Object({
    secret: text('The secret in Base32, shown only once'),
    uri: text('The same as an otpauth:// URI, for a QR code'),
  }),
  answeredOnce: true,
  codes: [1602, 1603],
});

export const confirmSecondFactor = defineConsoleOperation({
  name: 'confirm-second-factor',
  method: 'PUT',
  path: '/second-factor',
  reach: 'self',
  role: 'viewer',
  summary: 'Turn the second factor on, or replace it, and end the other sessions',
  body: Type.Object({ code: secondFactor }),
  data: recoveryCodes,
  answeredOnce: true,
  codes: [1602],
});

export const makeRecoveryCodes = defineConsoleOperation({
  name: 'make-recovery-codes',
  method: 'POST',
  path: '/recovery-codes',
  reach: 'self',
  role: 'viewer',
  summary: 'Replace all recovery codes by new ones and end the other sessions',
  body: Type.Object({ password, code: currentCode }),
  data: recoveryCodes,
  answeredOnce: true,
  codes: [1602, 1603, 1623],
});

export const removeSecondFactor = defineConsoleOperation({
  name: 'remove-second-factor',
  method: 'DELETE',
  path: '/second-factor',
  reach: 'self',
  role: 'viewer',
  summary: 'Turn the second factor off',
  body: Type.Object({ password, code: currentCode }),
  codes: [1602, 1603, 1621],
});
