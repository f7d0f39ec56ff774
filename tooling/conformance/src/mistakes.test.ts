import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const FOLDER = fileURLToPath(new URL('..', import.meta.url))

const PRELUDE = `
import { defineTool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { createOpenAI } from '@parley/openai'
import { openSqliteStore } from '@parley/sqlite'
import { scriptedModel } from '@parley/testing'
import * as z from 'zod'
const model = scriptedModel([{ text: 'ok' }, { text: 'ok' }])
`

interface Ended {
  readonly code: number | string | null | undefined
  readonly stderr: string
}

/** Runs a program as a user does: without a handler for its errors. */
function runProgram(program: string): Promise<Ended> {
  const given = ['--conditions=@parley/source', '--input-type=module', '--eval', PRELUDE + program]
  const env = { PATH: process.env['PATH'] ?? '' }
  return new Promise(resolve => {
    execFile(process.execPath, given, { cwd: FOLDER, env, timeout: 60_000 }, (error, _, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stderr }),
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
  ['a missing key', `createOpenAI()`, 'apiKey: is required; pass apiKey, or set OPENAI_API_KEY'],
  ['two agents of one name', `createRuntime({ agents: [{ name: 'a', model }, { name: 'a', model }] })`, "'a'"],
  [
    'a forgotten await of a store',
    `createRuntime({ store: openSqliteStore({ path: ':memory:' }) })`,
    'createRuntime.store: is a promise; await it first; must be a store',
  ],
  [
    'a run of a closed runtime',
    `const runtime = createRuntime({ agents: [{ name: 'a', model }] })\nawait runtime.close()\nawait runtime.invoke('a', 'go')`,
    'The runtime is closed',
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
