// An ES module's import of node:http evaluates every export, one of which loads a whole HTTP client.
module.exports = process.getBuiltinModule('node:http');
