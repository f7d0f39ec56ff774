import { ParleyError } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { parseConfig, type ParseConfigOptions } from './parse-config.ts'

const YAML = `
providers:
  openai: { apiKey: "\${OPENAI_API_KEY}", quirks: groq, retry: { maxRetries: 4 } }
models:
  fast: { provider: openai, id: gpt-5-mini, pricing: { input: 1, output: 2, date: 2026-01-01 } }
agents:
  clerk: { model: fast, tools: [calculator], settings: { thinking: low, temperature: 0.5 } }
`

const TOML = `
[providers.openai]
apiKey = "\${OPENAI_API_KEY}"
quirks = "groq"
retry = { maxRetries = 4 }
[models.fast]
provider = "openai"
id = "gpt-5-mini"
pricing = { input = 1, output = 2, date = 2026-01-01 }
[agents.clerk]
model = "fast"
tools = ["calculator"]
settings = { thinking = "low", temperature = 0.5 }
`

const DATA = {
  providers: { openai: { apiKey: 'sk-1', quirks: 'groq', retry: { maxRetries: 4 } } },
  models: { fast: { provider: 'openai', id: 'gpt-5-mini', pricing: { input: 1, output: 2, date: '2026-01-01' } } },
  agents: { clerk: { model: 'fast', tools: ['calculator'], settings: { thinking: 'low', temperature: 0.5 } } },
}

const ENVIRONMENT = { OPENAI_API_KEY: 'sk-1' }

/** The error message for a configuration. */
function complaint(text: string, options: Partial<ParseConfigOptions> = {}): string {
  try {
    parseConfig(text, { format: 'yaml', path: 'parley.yaml', ...options })
  } catch (error) {
    if (ParleyError.is(error, 'config-invalid')) return error.message
    throw error
  }
  throw new Error('the configuration has no problem')
}

/** The error message for an agent in one line of YAML, without its place. */
const ofAgent = (yaml: string): string =>
  complaint(`agents:\n  clerk: ${yaml}`).replace('parley.yaml: line 2: agents.clerk', '')

describe('parseConfig', () => {
  it.each([
    ['yaml', YAML],
    ['toml', TOML],
    [
      'json',
      JSON.stringify({ ...DATA, providers: { openai: { ...DATA.providers.openai, apiKey: '${OPENAI_API_KEY}' } } }),
    ],
  ] as const)('parseConfig reads the same data from %s', (format, text) => {
    expect(parseConfig(text, { format, environment: ENVIRONMENT }).data).toEqual(DATA)
  })

  it('one error shows all problems in the order of their lines', () => {
    const said = complaint(`
models:
  fast: { provider: mian, id: 5 }
providers:
  main: { type: openai, apiKey: "\${NO_SUCH_KEY}", quirk: groq }
agents:
  clerk:
    modle: fast
    onLimit: halt
    limits: { maxTurns: 0 }
    handoffs: [clrk]
runtime: 5`)
    expect(said.split('\n')).toEqual([
      'parley.yaml: 9 problems:',
      '(1) line 3: models.fast.id is 5; must be a non-empty string',
      "(2) line 3: models.fast.provider names 'mian', which is missing in 'providers'; did you mean 'main'?",
      '(3) line 5: providers.main.apiKey names the environment variable NO_SUCH_KEY, which is not set',
      "(4) line 5: providers.main.quirk is an unknown key; did you mean 'quirks'?",
      "(5) line 8: agents.clerk.modle is an unknown key; did you mean 'model'?",
      "(6) line 9: agents.clerk.onLimit must be 'stop', 'fail' or 'answer'",
      '(7) line 10: agents.clerk.limits.maxTurns is 0; must be a positive integer',
      "(8) line 11: agents.clerk.handoffs[0] names 'clrk', which is missing in 'agents'; did you mean 'clerk'?",
      '(9) line 12: runtime is 5; must be an object',
    ])
  })

  it('errors show lines for JSON, and only keys for TOML', () => {
    const json = '{\n  "agents": {\n    "clerk": {\n      "modle": "fast"\n    }\n  }\n}'
    expect(complaint(json, { format: 'json' })).toMatch(/^parley.yaml: line 4: agents.clerk.modle is an unknown key/)
    expect(complaint('[agents.clerk]\nmodle = "fast"', { format: 'toml' })).toMatch(
      /^parley.yaml: agents.clerk.modle is/,
    )
  })

  it.each([
    [
      '{ toolExecution: paralel }',
      ".toolExecution must be 'parallel', 'sequential' or an object with batch; did you mean 'parallel'?",
    ],
    ['{ tools: calculator }', '.tools is a string; must be a list'],
    ['{ tools: [] , limits: }', '.limits is empty; must be an object'],
    ['{ settings: { cache: { ttl: 1d } } }', ".settings.cache.ttl must be '5m' or '1h'"],
    ['{ settings: { topP: 2 } }', '.settings.topP is 2; must be a number from 0 to 1'],
    ['{ instructions: { fil: a.md } }', ".instructions.fil is an unknown key; did you mean 'file'?"],
    ['{ output: { schema: {}, file: a.json } }', '.output.file cannot be combined with the other keys here'],
    [
      '{ context: { policy: sliding_window } }',
      ".context.policy must be 'sliding-window', 'truncate-oldest', 'summarize' or 'phi'; did you mean 'sliding-window'?",
    ],
    ['{ context: long }', ".context names 'long', which is missing in 'contexts'; known: none"],
    [
      '{ permissions: [{ tool: x, permission: { effect: ask, role: [a] } }] }',
      ".permissions[0].permission.role is an unknown key; did you mean 'roles'?",
    ],
    [
      '{ permissions: [{ tool: x, permission: { effect: ask, expiresInMs: soon } }] }',
      '.permissions[0].permission.expiresInMs is a string; must be a number above 0',
    ],
    ['{ permissions: [{ permission: ask }] }', '.permissions[0].tool is missing; must be a non-empty string'],
    [
      '{ agents: [{ agent: nobody }] }',
      ".agents[0].agent names 'nobody', which is missing in 'agents'; known: 'clerk'",
    ],
    ['{ profile: careful }', ".profile names 'careful', which is missing in 'profiles'; known: none"],
    [
      '{ system_prompt: x }',
      expect.stringContaining(".system_prompt is an unknown key; known: 'profile', 'description', 'instructions'"),
    ],
  ])('the error for %s names the expected value', (yaml, said) => {
    expect(ofAgent(yaml)).toEqual(said)
  })

  it('parseConfig rejects keys of another provider type', () => {
    const ofProvider = (yaml: string): string => complaint(`providers:\n  claude: ${yaml}\nagents: { clerk: {} }`)
    expect(ofProvider('{ type: anthropic, quirks: groq }')).toContain(
      'claude.quirks is only for providers of type openai',
    )
    expect(ofProvider('{ quirks: groq }')).toContain("of type openai; set 'type', or move it into 'options'")
    expect(ofProvider('{ type: anthropic, options: { quirks: groq } }')).toContain(
      'claude.options is only for provider types of your own',
    )
  })

  it('parseConfig requires at least one agent', () => {
    expect(complaint('agents: { "": {} }')).toBe('parley.yaml: line 1: agents[""] is an empty name')
    expect(complaint('agents: {}')).toContain('agents is empty; must contain at least one agent')
    expect(complaint('')).toBe('parley.yaml: is empty; must be an object with agents')
    expect(complaint('providers: {}')).toContain('agents is missing')
  })

  it.each([
    ['yaml', 'agents: [', 'line 1: is invalid YAML: Flow sequence'],
    ['yaml', 'agents: {}\nagents: {}', "line 2: the key 'agents' is repeated"],
    ['yaml', 'a: 1\n---\na: 2', 'is invalid YAML: Source contains multiple documents'],
    ['json', '{\n "agents": {"a": {},}}', 'line 2: is invalid JSON: unexpected token in column 21'],
    ['json', '{"agents":\n [1,]}', 'line 2: is invalid JSON: unexpected token in column 5'],
    ['json', '{\n "agents": {} "a"}', 'line 2: is invalid JSON: unexpected token in column 15'],
    ['json', '{"a": 1,\n "a": 2}', "line 2: the key 'a' is repeated"],
    ['json', '{\n', 'line 2: is invalid JSON'],
    ['toml', 'a = 1\na = 2', 'line 2: is invalid TOML: trying to redefine'],
  ] as const)('the error for invalid %s %j names the line', (format, text, said) => {
    expect(complaint(text, { format })).toContain(said)
  })

  it('parseConfig limits the expansion of YAML aliases', () => {
    const layers = Array.from({ length: 12 }, (_, at) => `x${at + 1}: &x${at + 1} [${`*x${at},`.repeat(10)}]`)
    expect(complaint(['x0: &x0 [1]', ...layers].join('\n'))).toContain('is invalid YAML: Excessive alias count')
  })
})

describe('errors of parseConfig', () => {
  const SECRET = 'sk-planted-4f1d'
  it.each([
    ['an API key instead of a literal', `agents: { clerk: { onLimit: ${SECRET} } }`],
    ['an API key instead of a list', `agents: { clerk: { tools: ${SECRET} } }`],
    [
      'the API key of an invalid provider',
      `providers: { openai: { apiKey: ${SECRET}, quirk: x } }\nagents: { clerk: {} }`,
    ],
    ['a header of the wrong type', `providers: { openai: { headers: [${SECRET}] } }\nagents: { clerk: {} }`],
    ['a list instead of an API key', `providers: { openai: { apiKey: [${SECRET}] } }\nagents: { clerk: {} }`],
    ['an alias', `agents: *${SECRET}`],
    ['a tag', `agents: !${SECRET} x`],
    ['an unclosed string', `providers: { openai: { apiKey: "${SECRET} } }`],
    ['an escape', String.raw`providers: { openai: { apiKey: "\q${SECRET}" } }`],
  ])('the error does not show %s', (_, text) => {
    expect(complaint(text)).not.toContain(SECRET)
  })

  it.each([
    ['json', `{"apiKey": ${SECRET}}`],
    ['json', `{"apiKey": "${SECRET}}`],
    ['toml', `apiKey = ${SECRET}`],
    ['toml', `apiKey = "${SECRET}`],
  ] as const)('the error for invalid %s does not show the text %s', (format, text) => {
    expect(complaint(text, { format })).not.toContain(SECRET)
  })

  it('the error shows environment references instead of their values', () => {
    const environment = { NAME: SECRET }
    const said = complaint('agents: { clerk: { handoffs: ["${NAME}"], onLimit: "${NAME}", modle: "${NAME}" } }', {
      environment,
    })
    expect(said).not.toContain(SECRET)
    expect(said).toContain("handoffs[0] names '${NAME}'")
  })
})

describe('a configuration of unusual size', () => {
  const count = 20_000
  const many = (line: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => line(index)).join('\n')

  it('parseConfig shows 100 of 20,000 unknown keys and counts the others', () => {
    const text = complaint(`agents:\n  clerk: { model: fast }\n${many(index => `unknown${index}: 1`)}`)
    expect(text).toContain('20000 problems:')
    expect(text).toContain('(100) line 102: unknown99 is an unknown key; known:')
    expect(text).toContain('and 19900 more')
    expect(text.length).toBeLessThan(100_000)
  })

  it('parseConfig shows 100 of 20,000 agents that name a missing profile', () => {
    const agents = many(index => `  a${index}: { profile: missing${index} }`)
    const profiles = many(index => `  known${index}: { model: fast }`)
    const text = complaint(`agents:\n${agents}\nprofiles:\n${profiles}`)
    expect(text).toContain("agents.a0.profile names 'missing0'")
    expect(text).toContain('and 19900 more')
  })

  it.each([
    ['yaml', `agents: ${'['.repeat(100_000)}`],
    ['yaml', `agents: ${'['.repeat(500)}${']'.repeat(500)}`],
    ['json', `${'{"agents":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['json', `{"agents":${'['.repeat(500)}${']'.repeat(500)}}`],
    ['toml', `agents = ${'['.repeat(100_000)}`],
    ['toml', `agents = ${'['.repeat(500)}${']'.repeat(500)}`],
    ['toml', `${'a.'.repeat(100_000)}a = 1`],
    ['toml', `[${'a.'.repeat(100_000)}a]\nb = 1`],
  ] as const)('parseConfig rejects deeply nested %s with config-invalid', (format, text) => {
    expect(complaint(text, { format })).toMatch(/nested|invalid/)
  })
})
