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

/** What is said about a configuration. */
function complaint(text: string, options: Partial<ParseConfigOptions> = {}): string {
  try {
    parseConfig(text, { format: 'yaml', path: 'parley.yaml', ...options })
  } catch (error) {
    if (ParleyError.is(error, 'config-invalid')) return error.message
    throw error
  }
  throw new Error('nothing is wrong with it')
}

/** What is said about an agent, given as YAML in one line, without the place. */
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
  ] as const)('reads the same from %s', (format, text) => {
    expect(parseConfig(text, { format, environment: ENVIRONMENT }).data).toEqual(DATA)
  })

  it('says everything that is wrong at once, in the order of the lines', () => {
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
      '(1) line 3: models.fast.id is 5; it must be a text that is not empty',
      "(2) line 3: models.fast.provider names 'mian', which 'providers' does not have; did you mean 'main'?",
      '(3) line 5: providers.main.apiKey names the environment variable NO_SUCH_KEY, which is not set',
      "(4) line 5: providers.main.quirk is no key here; did you mean 'quirks'?",
      "(5) line 8: agents.clerk.modle is no key here; did you mean 'model'?",
      "(6) line 9: agents.clerk.onLimit must be 'stop', 'fail' or 'answer'",
      '(7) line 10: agents.clerk.limits.maxTurns is 0; it must be a whole number above 0',
      "(8) line 11: agents.clerk.handoffs[0] names 'clrk', which 'agents' does not have; did you mean 'clerk'?",
      '(9) line 12: runtime is 5; it must be an object',
    ])
  })

  it('finds lines in JSON too, and names keys alone in TOML', () => {
    const json = '{\n  "agents": {\n    "clerk": {\n      "modle": "fast"\n    }\n  }\n}'
    expect(complaint(json, { format: 'json' })).toMatch(/^parley.yaml: line 4: agents.clerk.modle is no key here/)
    expect(complaint('[agents.clerk]\nmodle = "fast"', { format: 'toml' })).toMatch(
      /^parley.yaml: agents.clerk.modle is/,
    )
  })

  it.each([
    [
      '{ toolExecution: paralel }',
      ".toolExecution must be 'parallel', 'sequential' or an object with batch; did you mean 'parallel'?",
    ],
    ['{ tools: calculator }', '.tools is a text; it must be a list'],
    ['{ tools: [] , limits: }', '.limits is empty; it must be an object'],
    ['{ settings: { cache: { ttl: 1d } } }', ".settings.cache.ttl must be '5m' or '1h'"],
    ['{ settings: { topP: 2 } }', '.settings.topP is 2; it must be a number from 0 to 1'],
    ['{ instructions: { fil: a.md } }', ".instructions.fil is no key here; did you mean 'file'?"],
    ['{ output: { schema: {}, file: a.json } }', '.output.file does not go together with the other keys here'],
    [
      '{ context: { policy: sliding_window } }',
      ".context.policy must be 'sliding-window', 'truncate-oldest', 'summarize' or 'phi'; did you mean 'sliding-window'?",
    ],
    ['{ context: long }', ".context names 'long', which 'contexts' does not have; it has none"],
    [
      '{ permissions: [{ tool: x, permission: { effect: ask, role: [a] } }] }',
      ".permissions[0].permission.role is no key here; did you mean 'roles'?",
    ],
    [
      '{ permissions: [{ tool: x, permission: { effect: ask, expiresInMs: soon } }] }',
      '.permissions[0].permission.expiresInMs is a text; it must be a number above 0',
    ],
    ['{ permissions: [{ permission: ask }] }', '.permissions[0].tool is missing; it must be a text that is not empty'],
    [
      '{ agents: [{ agent: nobody }] }',
      ".agents[0].agent names 'nobody', which 'agents' does not have; there are 'clerk'",
    ],
    ['{ profile: careful }', ".profile names 'careful', which 'profiles' does not have; it has none"],
    [
      '{ system_prompt: x }',
      expect.stringContaining(".system_prompt is no key here; there are 'profile', 'description', 'instructions'"),
    ],
  ])('says what must be there instead of %s', (yaml, said) => {
    expect(ofAgent(yaml)).toEqual(said)
  })

  it('refuses keys of another type of provider', () => {
    const ofProvider = (yaml: string): string => complaint(`providers:\n  claude: ${yaml}\nagents: { clerk: {} }`)
    expect(ofProvider('{ type: anthropic, quirks: groq }')).toContain(
      'claude.quirks is a key of providers of type openai',
    )
    expect(ofProvider('{ quirks: groq }')).toContain("of type openai; set 'type', or put it under 'options'")
    expect(ofProvider('{ type: anthropic, options: { quirks: groq } }')).toContain(
      'claude.options is a key of providers of a type of your own',
    )
  })

  it('wants at least one agent', () => {
    expect(complaint('agents: { "": {} }')).toBe('parley.yaml: line 1: agents[""] is no name: it is empty')
    expect(complaint('agents: {}')).toContain('agents is empty; it must have at least one agent')
    expect(complaint('')).toBe('parley.yaml: is empty; it must be an object with agents')
    expect(complaint('providers: {}')).toContain('agents is missing')
  })

  it.each([
    ['yaml', 'agents: [', 'line 1: is no YAML: Flow sequence'],
    ['yaml', 'agents: {}\nagents: {}', "line 2: the key 'agents' is there twice"],
    ['yaml', 'a: 1\n---\na: 2', 'is no YAML: Source contains multiple documents'],
    ['json', '{\n "agents": {"a": {},}}', 'line 2: is no JSON: what begins in column 21 is unexpected'],
    ['json', '{"agents":\n [1,]}', 'line 2: is no JSON: what begins in column 5 is unexpected'],
    ['json', '{\n "agents": {} "a"}', 'line 2: is no JSON: what begins in column 15 is unexpected'],
    ['json', '{"a": 1,\n "a": 2}', "line 2: the key 'a' is there twice"],
    ['json', '{\n', 'line 2: is no JSON'],
    ['toml', 'a = 1\na = 2', 'line 2: is no TOML: trying to redefine'],
  ] as const)('says where %s ends that is written like %j', (format, text, said) => {
    expect(complaint(text, { format })).toContain(said)
  })

  it('bounds what aliases multiply to', () => {
    const layers = Array.from({ length: 12 }, (_, at) => `x${at + 1}: &x${at + 1} [${`*x${at},`.repeat(10)}]`)
    expect(complaint(['x0: &x0 [1]', ...layers].join('\n'))).toContain('is no YAML: Excessive alias count')
  })
})

describe('what is said about a configuration', () => {
  const SECRET = 'sk-planted-4f1d'
  it.each([
    ['a key in the place of a literal', `agents: { clerk: { onLimit: ${SECRET} } }`],
    ['a key in the place of a list', `agents: { clerk: { tools: ${SECRET} } }`],
    [
      'a literal key in a broken provider',
      `providers: { openai: { apiKey: ${SECRET}, quirk: x } }\nagents: { clerk: {} }`,
    ],
    ['a header of the wrong kind', `providers: { openai: { headers: [${SECRET}] } }\nagents: { clerk: {} }`],
    ['a list in the place of a key', `providers: { openai: { apiKey: [${SECRET}] } }\nagents: { clerk: {} }`],
    ['an alias', `agents: *${SECRET}`],
    ['a tag', `agents: !${SECRET} x`],
    ['an unfinished text', `providers: { openai: { apiKey: "${SECRET} } }`],
    ['an escape', String.raw`providers: { openai: { apiKey: "\q${SECRET}" } }`],
  ])('does not show %s', (_, text) => {
    expect(complaint(text)).not.toContain(SECRET)
  })

  it.each([
    ['json', `{"apiKey": ${SECRET}}`],
    ['json', `{"apiKey": "${SECRET}}`],
    ['toml', `apiKey = ${SECRET}`],
    ['toml', `apiKey = "${SECRET}`],
  ] as const)('does not show a text of broken %s', (format, text) => {
    expect(complaint(text, { format })).not.toContain(SECRET)
  })

  it('shows references to the environment as they are written', () => {
    const environment = { NAME: SECRET }
    const said = complaint('agents: { clerk: { handoffs: ["${NAME}"], onLimit: "${NAME}", modle: "${NAME}" } }', {
      environment,
    })
    expect(said).not.toContain(SECRET)
    expect(said).toContain("handoffs[0] names '${NAME}'")
  })
})
