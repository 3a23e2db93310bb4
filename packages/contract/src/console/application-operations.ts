import { Type } from 'typebox';
import { oneLineName, oneOf, requiredAppId, text, time } from '../fields.ts';
import { accesses } from '../operation.ts';
import { consoleLimits } from './console-limits.ts';
import { defineConsoleOperation } from './console-operation.ts';

const scope = oneOf('What the application may do; each scope includes those before it', accesses);

const issued = {
  app_id: text('APPID'),
  app_secret: text('APPSECRET; shown only once'),
};

export const listApplications = defineConsoleOperation({
  name: 'list-applications',
  method: 'GET',
  path: '/tenants/:tenant/applications',
  reach: 'tenant',
  role: 'viewer',
  summary: 'List the applications of a tenant; secrets are never shown',
  data: Type.Object({
    applications: Type.Array(
      Type.Object({
        app_id: text('APPID'),
        name: text('What it is called'),
        scope,
        status: oneOf('A revoked application never works again', ['active', 'suspended', 'revoked']),
        created_at: time('When it was issued'),
        rate_limit: Type.Optional(
          Type.Integer({
            description: "Requests per second, 0 for no limit; absent when the server's own limit applies",
          }),
        ),
        allowed_addresses: Type.Array(text('Address or network'), {
          description: 'Where it may call from; empty for anywhere',
        }),
        expires_at: Type.Optional(time('When it stops working')),
        secrets: Type.Array(
          Type.Object({
            created_at: time('When it was issued'),
            expires_at: Type.Optional(time('When it stops working')),
            last_used_at: Type.Optional(time('When it last signed a call')),
          }),
        ),
      }),
    ),
  }),
  codes: [],
});

export const issueApplication = defineConsoleOperation({
  name: 'issue-application',
  method: 'POST',
  path: '/tenants/:tenant/applications',
  reach: 'tenant',
  role: 'manager',
  summary: 'Issue an application with its first secret',
  body: Type.Object({
    name: oneLineName('What it is called', consoleLimits.applicationNameCharactersMax),
    scope,
  }),
  data: Type.Object(issued),
  answeredOnce: true,
  codes: [1611],
});

export const rotateSecret = defineConsoleOperation({
  name: 'rotate-secret',
  method: 'POST',
  path: '/tenants/:tenant/applications/rotate',
  reach: 'tenant',
  role: 'manager',
  summary: 'Give an application a new secret, and let the previous one expire',
  body: Type.Object({
    app_id: requiredAppId,
    old_expires_in_seconds: Type.Integer({
      format: 'int32',
      minimum: 0,
      maximum: consoleLimits.oldSecretSecondsMax,
      description: 'How long the previous secret stays valid',
    }),
  }),
  data: Type.Object({ ...issued, old_secret_expires_at: time('When the previous secret expires') }),
  answeredOnce: true,
  codes: [1610],
});

export const updateApplication = defineConsoleOperation({
  name: 'update-application',
  method: 'PUT',
  path: '/tenants/:tenant/applications',
  reach: 'tenant',
  role: 'manager',
  summary: 'Change what an application may do, or suspend or resume it; what is left out stays as it is',
  body: Type.Object({
    app_id: requiredAppId,
    scope: Type.Optional(scope),
    status: Type.Optional(oneOf('Whether it may call', ['active', 'suspended'])),
    rate_limit: Type.Optional(
      Type.Integer({
        format: 'int32',
        minimum: -1,
        maximum: consoleLimits.rateLimitMax,
        description: "Requests per second; 0 for no limit, -1 for the server's own limit",
      }),
    ),
    allowed_addresses: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64, description: 'Address or network' }), {
        maxItems: consoleLimits.allowedAddressesMax,
        description: 'Where it may call from; empty for anywhere',
      }),
    ),
    expires_at: Type.Optional(time('When it stops working; 0 for never')),
  }),
  codes: [1610],
});

export const revokeApplication = defineConsoleOperation({
  name: 'revoke-application',
  method: 'DELETE',
  path: '/tenants/:tenant/applications',
  reach: 'tenant',
  role: 'manager',
  summary: 'Revoke an application permanently',
  body: Type.Object({ app_id: requiredAppId }),
  codes: [1610],
});
