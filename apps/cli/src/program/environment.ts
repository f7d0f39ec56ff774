/** The environment variables of the command line, in the order of the help. */
const ENVIRONMENT: Readonly<Record<string, string>> = {
  OPENAI_API_KEY: 'key of the OpenAI API; without a key and a server, the demo model answers',
  OPENAI_BASE_URL: 'default of --base-url',
  OPENAI_MODEL: 'default of --model',
  PARLEY_API_KEY: 'default of --key, the key for --server',
  PARLEY_API_KEYS: 'keys that the clients of `serve` need: name:key or name:key:access, separated by commas',
  PARLEY_JWT_ISSUER: 'default of --jwt-issuer',
  PARLEY_JWT_AUDIENCE: 'default of --jwt-audience',
  PARLEY_JWT_KEYS: 'default of --jwt-keys',
  PARLEY_JWT_SCOPE_CLAIM: 'default of --jwt-scope-claim',
  PARLEY_JWT_ROLES_CLAIM: 'default of --jwt-roles-claim',
  PARLEY_JWT_ACCESS_CLAIM: 'default of --jwt-access-claim',
  PARLEY_MCP_TOKENS: 'file with the tokens of MCP servers, instead of ~/.parley/mcp-tokens.json',
  PARLEY_PLAIN: '1 gives plain text in a terminal, for example for a screen reader',
  PARLEY_WORKER: 'name of this process in the database; must be unique among live processes',
}

/** The part of the help that lists the environment variables. */
export function environmentHelp(): string {
  const width = Math.max(...Object.keys(ENVIRONMENT).map(name => name.length))
  const lines = Object.entries(ENVIRONMENT).map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`)
  return `\nEnvironment:\n${lines.join('\n')}`
}
