/** Its credentials, and the path under which it is mounted. */
export const parseAppId = 'bench';
export const parseMasterKey = 'master-key-of-the-benchmark';
export const parsePath = '/parse';

/** What its users have besides username, email and timestamps: the profile of a seeded user. */
const profileFields = {
  realName: { type: 'String' },
  nickname: { type: 'String' },
  gender: { type: 'Number' },
  phone: { type: 'String' },
  department: { type: 'String' },
  avatar: { type: 'String' },
  uniqueCode: { type: 'String' },
} as const;

/** The body that adds the profile to the class of users. */
export const userSchema = { className: '_User', fields: profileFields };

/** Its users are written by SQL: creating one through it hashes a password, which takes a while for many. */
export const insertUsers = `
  insert into "_User" ("objectId", "createdAt", "updatedAt", username, email, "realName", nickname, gender,
    phone, department, avatar, "uniqueCode", "_rperm", "_wperm")
  select 'U' || lpad(number::text, 9, '0'), now(), now(), 'user.' || lpad(number::text, 7, '0'),
    'rep' || number || '@example.com', 'Representative ' || number, 'Rep ' || number, 1 + number % 2,
    '+49 30 ' || 1000000 + number, 'Sales ' || number % 40,
    'https://images.example.com/' || number || '.png', 'E' || number, '{*}', '{}'
  from generate_series(1, $1::int) as number`;

/** As it would be run in production; what is not named has its default. */
export function parseServerOptions(databaseURI: string, serverURL: string) {
  return {
    databaseURI,
    // As many connections as the directory's server opens.
    databaseOptions: { max: 10 },
    appId: parseAppId,
    masterKey: parseMasterKey,
    serverURL,
    directAccess: false,
    silent: true,
    verbose: false,
    logLevel: 'error',
    logsFolder: null,
  };
}
