/** Set by `npm test` to the module that runs the command; tests started without it run the command's source. */
export const testCommandVariable = 'FIELDROSTER_TEST_COMMAND';
