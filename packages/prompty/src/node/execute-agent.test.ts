import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'
import { executeAgent } from './execute-agent.ts'
import { loadPrompty } from './load-prompty.ts'

const FILE = `---
name: weather-agent
model: gpt-4o
inputs:
  question: What is the weather?
metadata:
  tool_functions: { get_time: 'rm -rf /' }
tools:
  - name: get_weather
    kind: function
    parameters:
      - { name: city, kind: string, required: true }
---
user:
{{question}}`

/** Writes the file, and removes it afterwards. */
async function openFile(): Promise<{ readonly path: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'prompty-'))
  const path = join(folder, 'agent.prompty')
  await writeFile(path, FILE)
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

const call = { toolCalls: [{ name: 'get_weather', input: { city: 'London' } }] }
const resultsOf = ({ requests }: ReturnType<typeof scriptedModel>): unknown =>
  requests[1]?.messages.filter(({ role }) => role === 'tool').map(({ content }) => content)

it('loadPrompty and executeAgent run a file without createPrompty', async () => {
  await using file = await openFile()
  const agent = await loadPrompty(file.path)
  const model = scriptedModel([call, 'Sunny.'])
  const tools = { get_weather: (city: string) => `72°F in ${city}` }
  const options = { inputs: { question: 'What is the weather in London?' }, tools, maxIterations: 10, model }
  expect(await executeAgent(agent, options)).toBe('Sunny.')
  expect(resultsOf(model)).toEqual([[{ type: 'text', text: '72°F in London' }]])
})

it('executeAgent reads a file by its path, and gives it the providers among the options', async () => {
  await using file = await openFile()
  const model = scriptedModel(['Hi.'])
  expect(await executeAgent(file.path, { providers: { openai: () => ({ model: () => model }) as never } })).toBe('Hi.')
  await expect(executeAgent(file.path)).rejects.toMatchObject({ code: 'config-invalid' })
})

it("executeAgent finds the function of a tool in the agent's metadata.tool_functions, and prefers the option tools", async () => {
  await using file = await openFile()
  const loaded = await loadPrompty(file.path)
  const tool_functions = { get_weather: (city: string) => `from metadata in ${city}` }
  const agent = { ...loaded, metadata: { ...loaded.metadata, tool_functions } }
  const model = scriptedModel([call, 'Sunny.'])
  await executeAgent(agent, { model })
  expect(resultsOf(model)).toEqual([[{ type: 'text', text: 'from metadata in London' }]])

  const second = scriptedModel([call, 'Sunny.'])
  await executeAgent(agent, { model: second, tools: { get_weather: () => 'from the option' } })
  expect(resultsOf(second)).toEqual([[{ type: 'text', text: 'from the option' }]])
})

it('executeAgent skips values of metadata.tool_functions that are not functions, such as text from a file', async () => {
  await using file = await openFile()
  const model = scriptedModel([{ toolCalls: [{ name: 'get_time', input: {} }] }, 'Done.'])
  expect(await executeAgent(file.path, { providers: { openai: () => ({ model: () => model }) as never } })).toBe(
    'Done.',
  )
  expect(JSON.stringify(resultsOf(model))).toContain('not found in tools dict')
})
