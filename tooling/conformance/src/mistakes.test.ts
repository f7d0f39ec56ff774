import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { nativePackages } from '@parley-tooling/test-run/native-packages'
import { build } from 'esbuild'
import { beforeAll, expect, it } from 'vitest'

const FOLDER = fileURLToPath(new URL('..', import.meta.url))

/** What the programs import. */
const IMPORTS = `
export { defineTool } from '@parley/core'
export { createRuntime, defineAgent } from '@parley/engine'
export { createMemoryStore } from '@parley/memory-store'
export { createOpenAI } from '@parley/openai'
export { openSqliteStore } from '@parley/sqlite'
export { scriptedModel } from '@parley/testing'
export * as z from 'zod'
`

/** The packages in one file. Node.js takes several times longer to load their sources, which is most of the time of a program. */
const BUNDLE = new URL('../node_modules/.cache/mistakes.mjs', import.meta.url)

beforeAll(async () => {
  await build({
    stdin: { contents: IMPORTS, resolveDir: FOLDER },
    outfile: fileURLToPath(BUNDLE),
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@parley/source'],
    plugins: [nativePackages],
    logLevel: 'error',
  })
})

const PRELUDE = `
import { createMemoryStore, createOpenAI, createRuntime, defineAgent, defineTool, openSqliteStore, scriptedModel, z } from '${BUNDLE.href}'
const model = scriptedModel([{ text: 'ok' }, { text: 'ok' }])
const failing = scriptedModel([{ error: { code: 'model-auth', provider: 'p', detail: 'bad key' } }])
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))
`

interface Ended {
  readonly code: number | string | null | undefined
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program as a user does: without a handler for its errors. */
function runProgram(program: string): Promise<Ended> {
  const given = ['--input-type=module', '--eval', PRELUDE + program]
  // Without the cache, each program compiles the packages again.
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const env = { PATH, NODE_COMPILE_CACHE }
  return new Promise(resolve => {
    execFile(process.execPath, given, { cwd: FOLDER, env, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    )
  })
}

const mistakes: readonly (readonly [mistake: string, program: string, words: string])[] = [
  [
    'an option of another spelling',
    `createOpenAI({ baseURL: 'http://localhost:1' })`,
    "createOpenAI.baseURL: is an unknown option; did you mean 'baseUrl'?",
  ],
  [
    'a misspelled option of the runtime',
    `createRuntime({ agent: [] })`,
    "createRuntime.agent: is an unknown option; did you mean 'agents'?",
  ],
  [
    'the option of another library',
    `defineAgent({ name: 'a', model, maxSteps: 5 })`,
    "agents.a.maxSteps: is an unknown option; did you mean 'limits.maxTurns'?",
  ],
  [
    'a setting beside the settings',
    `defineAgent({ name: 'a', model, temperature: 0 })`,
    "agents.a.temperature: is an unknown option; did you mean 'settings.temperature'?",
  ],
  [
    'a misspelled limit',
    `defineAgent({ name: 'a', model, limits: { maxTurn: 5 } })`,
    "agents.a.limits.maxTurn: is an unknown option; did you mean 'maxTurns'?",
  ],
  [
    'a session without Id',
    `createRuntime({ agents: [{ name: 'a', model }] }).run('a', 'go', { session: 's' })`,
    "run.session: is an unknown option; did you mean 'sessionId'?",
  ],
  [
    'the schema of a tool under another name',
    `defineTool({ name: 't', description: 'd', parameters: z.object({}), execute() {} })`,
    "tools.t.parameters: is an unknown option; did you mean 'input'?",
  ],
  ['a number as limits', `defineAgent({ name: 'a', model, limits: 5 })`, 'agents.a.limits: is 5; must be an object'],
  [
    'a string as a limit',
    `defineAgent({ name: 'a', model, limits: { maxTurns: '5' } })`,
    "agents.a.limits.maxTurns: is the string '5'; must be a number",
  ],
  [
    'a number as instructions of a tool',
    `defineTool({ name: 't', description: 5, input: z.object({}), execute() {} })`,
    'tools.t.description: is 5; must be a string',
  ],
  [
    'a tool without a schema',
    `defineTool({ name: 't', description: 'd', execute() {} })`,
    'tools.t.input: is missing; must be a schema: z.object({ … })',
  ],
  [
    'a number as a schema',
    `defineTool({ name: 't', description: 'd', input: 5, execute() {} })`,
    'tools.t.input: is 5; must be a schema: z.object({ … })',
  ],
  [
    'an object of schemas',
    `defineTool({ name: 't', description: 'd', input: { city: z.string() }, execute() {} })`,
    'tools.t.input: is an object; must be a schema: z.object({ … })',
  ],
  [
    'names of types as a schema',
    `defineTool({ name: 't', description: 'd', input: { city: 'string' }, execute() {} })`,
    'tools.t.input: is an object; must be a schema: z.object({ … })',
  ],
  [
    'the name of a model that the runtime does not know',
    `createRuntime({ agents: [{ name: 'a', model: 'gpt-5' }] })`,
    "There is no model named 'gpt-5'. Known models: none. Name it in 'models' of createRuntime, give its provider in 'providers', or set 'model' to a model: provider.model('ID').",
  ],
  [
    'a provider instead of its model',
    `defineAgent({ name: 'a', model: createOpenAI({ apiKey: 'k' }) })`,
    "agents.a.model: is an object; must be a model (made by a provider: provider.model('ID')) or a string",
  ],
  ['a missing key', `createOpenAI()`, 'createOpenAI.apiKey: is missing; set OPENAI_API_KEY, or pass it'],
  [
    'two agents of one name',
    `createRuntime({ agents: [{ name: 'a', model }, { name: 'a', model }] })`,
    "agents: two agents are named 'a'; give each agent a name of its own",
  ],
  [
    'a forgotten await of a store',
    `createRuntime({ store: openSqliteStore({ path: ':memory:' }) })`,
    'createRuntime.store: is a promise; await it first; must be a store',
  ],
  [
    'a run of a closed runtime',
    `const runtime = createRuntime({ agents: [{ name: 'a', model }] })\nawait runtime.close()\nawait runtime.invoke('a', 'go')`,
    'The runtime is closed. Create a runtime for further runs, and close it after the last one.',
  ],
  [
    'a forgotten await of invoke',
    `createRuntime({ agents: [{ name: 'a', model: failing }] }).invoke('a', 'go')`,
    "RunFailedError: Agent 'a' did not complete its task (failed): p rejected the API key.",
  ],
  [
    'a model that the server does not know',
    `
const { createServer } = await import('node:http')
const body = JSON.stringify({ error: { message: 'The model gpt-99 does not exist', code: 'model_not_found' } })
const server = createServer((_, response) => response.writeHead(404, { 'content-type': 'application/json' }).end(body))
await new Promise(resolve => server.listen(0, resolve))
const provider = createOpenAI({ baseUrl: 'http://localhost:' + server.address().port + '/v1', apiKey: 'k', retry: { maxRetries: 0 } })
await createRuntime({ agents: [{ name: 'a', model: provider.model('gpt-99') }] }).invoke('a', 'go')`,
    'gpt-99 does not exist',
  ],
  [
    'an agent that the runtime does not know',
    `await createRuntime({ agents: [{ name: 'a', model }] }).invoke('b', 'go')`,
    "There is no agent named 'b'. Known agents: a.",
  ],
]

it.each(mistakes)(
  'a program with %s ends with an error that says what, where and what to do',
  async (_, program, words) => {
    const { code, stderr } = await runProgram(program)
    expect(stderr).toContain(words)
    expect(code).toBe(1)
  },
)

const THROWING = `
const weather = defineTool({ name: 'weather', description: 'd', input: z.object({}), execute() { throw new TypeError('no city') } })
const script = scriptedModel([{ toolCalls: [{ name: 'weather' }] }, 'I do not know.'])
const { text } = await createRuntime({ agents: [{ name: 'a', model: script, tools: [weather] }] }).invoke('a', 'go', { runId: 'r' })
console.log(text)`

/** Programs that end without an error of their own. */
const quiet: readonly (readonly [
  mistake: string,
  program: string,
  printed: { readonly stderr: readonly string[]; readonly stdout: string },
])[] = [
  [
    'a tool that throws',
    THROWING,
    {
      stderr: [
        "parley: 'weather' failed: no city. The agent 'a' received only this message in the run 'r'.",
        "Return toolError('…') for a failure that you expect.",
        'TypeError: no city\n    at ',
      ],
      stdout: 'I do not know.\n',
    },
  ],
  [
    'a forgotten await of a run',
    `const runtime = createRuntime({ agents: [{ name: 'a', model: failing }] })
runtime.run('a', 'go', { runId: 'r' })
while ((await runtime.health()).activeRuns > 0) await new Promise(resolve => setImmediate(resolve))
console.log(process.getActiveResourcesInfo().includes('Timeout') ? 'kept alive' : 'free')`,
    {
      stderr: [
        "parley: Agent 'a' did not complete its task (failed): p rejected the API key.",
        'No code has read this run: await',
      ],
      // The report does not keep the process alive.
      stdout: 'free\n',
    },
  ],
  [
    'a run that is not read before the program exits',
    `const runtime = createRuntime({ agents: [{ name: 'a', model: failing }] })
runtime.run('a', 'go')
while ((await runtime.health()).activeRuns > 0) await sleep(1)
process.exit(0)`,
    { stderr: ['No code has read this run: await'], stdout: '' },
  ],
]

it.each(quiet)(
  'a program with %s ends by itself, and prints what, where and what to do',
  async (_, program, printed) => {
    const { code, stdout, stderr } = await runProgram(program)
    for (const part of printed.stderr) expect(stderr).toContain(part)
    expect(stderr.match(/^parley: /gm)).toHaveLength(1)
    expect([code, stdout]).toEqual([0, printed.stdout])
  },
)

it.each([
  [
    'awaits a run late',
    `const run = runtime.run('a', 'go')\nawait sleep(300)\nconst { status } = await run.result\nconsole.log(status)`,
  ],
  [
    'reads a run twice',
    `const run = runtime.run('a', 'go')\nawait run.result\nfor await (const _ of run);\nconsole.log((await run.result).status)`,
  ],
])('a program that %s makes no mistake, and prints nothing', async (_, program) => {
  const { code, stdout, stderr } = await runProgram(
    `const runtime = createRuntime({ agents: [{ name: 'a', model: failing }] })\n${program}`,
  )
  expect([code, stdout, stderr]).toEqual([0, 'failed\n', ''])
})
