import { join } from 'node:path'
import { ParleyError, toJsonSchema, type Json, type Tool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { callTool } from './__fixtures__/call-tool.ts'
import { openTempDirectory } from './__fixtures__/open-temp-directory.ts'
import { createContextTools } from './context/index.ts'
import { createFileTools } from './files/index.ts'
import { calculator } from './math/index.ts'
import { createMemoryTools } from './memory/index.ts'
import { createNetworkGuard } from './network/index.ts'
import { openApiTools, parseOpenApi } from './openapi/index.ts'
import { createShellTool } from './shell/index.ts'
import { loadSkills } from './skills/index.ts'
import { createTextTools } from './text/index.ts'
import { createTimeTools } from './time/index.ts'
import { createWebTools } from './web/index.ts'
import { createWorkspace } from './workspace/index.ts'

const API = `
openapi: 3.1.0
info: { title: pets, version: '1' }
servers: [{ url: 'http://127.0.0.1:1' }]
paths:
  /pets/{id}:
    get:
      operationId: get_pet
      summary: Gives one pet with its name and age.
      parameters: [{ name: id, in: path, required: true, description: The number of the pet., schema: { type: integer } }]
`

/** For every tool: one valid input, one invalid input, and the words of the failure that tell the model what to do. */
const CALLS: Readonly<Record<string, { readonly good: object; readonly bad: object; readonly words: RegExp }>> = {
  calculator: { good: { expression: '1+1' }, bad: { expression: '1 +' }, words: /is expected, not the end.*character 4/ },
  current_time: { good: {}, bad: { timeZone: 'Mars/Base' }, words: /Mars\/Base.*IANA|Mars\/Base.*Europe/s },
  date_math: { good: { operation: 'add', start: '2026-01-01', days: 1 }, bad: { operation: 'add', start: 'soon', days: 1 }, words: /ISO 8601|2026/ },
  echo: { good: { text: 'a' }, bad: { text: 1 }, words: /text/ },
  text_stats: { good: { text: 'a' }, bad: { text: 'x'.repeat(1_000_001) }, words: /Give a part of it/ },
  json_format: { good: { json: '{}' }, bad: { json: "{'a': 1}" }, words: /double quotes/ },
  url_encode: { good: { text: 'a b' }, bad: { text: '%E0%A4%A', decode: true }, words: /hexadecimal digits/ },
  hash_text: { good: { text: 'a' }, bad: { text: 'a', algorithm: 'crc32' }, words: /md5.*sha1.*sha256/ },
  generate_uuid: { good: {}, bad: { count: 0 }, words: /count/ },
  generate_password: { good: {}, bad: { length: 2 }, words: /length/ },
  convert_temperature: { good: { value: 1, from: 'C', to: 'F' }, bad: { value: -300, from: 'C', to: 'F' }, words: /below absolute zero/ },
  fetch_url: { good: { url: 'http://127.0.0.1:1/' }, bad: { url: 'http://2130706433/' }, words: /Use a public address/ },
  read_webpage: { good: { url: 'http://127.0.0.1:1/' }, bad: { url: 'ftp://x.test/' }, words: /http/ },
  web_search: { good: { query: 'x' }, bad: { query: '  ' }, words: /Say in words what to search for/ },
  read: { good: { path: 'a.txt' }, bad: { path: 'b.txt' }, words: /no such file.*list it with the path/ },
  ls: { good: {}, bad: { path: '../x' }, words: /relative to the workspace root/ },
  find: { good: { pattern: '*' }, bad: { pattern: '*', path: '../x' }, words: /relative to the workspace root/ },
  grep: { good: { pattern: 'x' }, bad: { pattern: '(' }, words: /regular expression|pattern/i },
  write: { good: { path: 'n.txt', content: '' }, bad: { path: 'no/such/dir/../../../../x', content: '' }, words: /workspace/ },
  edit: { good: { path: 'a.txt', edits: [{ oldText: 'one', newText: 'two' }] }, bad: { path: 'a.txt', edits: [{ oldText: 'three', newText: '' }] }, words: /does not occur|not found|no place|not in/i },
  shell: { good: { argv: ['ls'] }, bad: { argv: ['rm', '-rf', '/'] }, words: /may run here/ },
  read_skill: { good: { name: 'forms' }, bad: { name: 'forms', path: '../x' }, words: /relative to the skill's folder/ },
  recall_memory: { good: { query: 'x' }, bad: { query: ' ' }, words: /Say in words what to look for/ },
  remember_memory: { good: { content: 'x' }, bad: { content: '' }, words: /Say what to remember/ },
  trim_context: { good: { tokens: 10 }, bad: { tokens: 0 }, words: /tokens/ },
  revert_to_state: { good: { category: 'failure', step: 0 }, bad: { category: 'failure' }, words: /Say which step/ },
  search_history: { good: { query: 'x' }, bad: { query: 'x', limit: 51 }, words: /limit/ },
  get_pet: { good: { id: 1 }, bad: { id: 'Rex' }, words: /id.*integer|integer/s },
} // oxfmt-ignore

async function openTools() {
  const temp = await openTempDirectory()
  await temp.write('a.txt', 'one\n')
  await temp.write('skills/forms/SKILL.md', '---\nname: forms\ndescription: Fills forms.\n---\n')
  const workspace = createWorkspace({ roots: [temp.path] })
  const store = createMemoryStore()
  if (store.notes === undefined) throw new Error('no memory')
  const engine = { name: 'none', search: async () => [] }
  const tools: readonly Tool[] = [
    calculator as Tool,
    ...createTimeTools(),
    ...createTextTools(),
    ...createWebTools({ engine, guard: createNetworkGuard() }),
    ...createFileTools({ workspace, write: true }),
    createShellTool({ workspace, confirm: 'never' }) as Tool,
    ...(await loadSkills([join(temp.path, 'skills')])).tools,
    ...createContextTools(),
    ...createMemoryTools({ memory: store.notes, history: store }),
    ...(await openApiTools(parseOpenApi(API)).tools()),
  ]
  return { tools, [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() }
}

/** Runs a tool under the engine and returns what the model reads after the call. */
async function told(tool: Tool, input: object): Promise<{ readonly text: string; readonly isError: boolean }> {
  const model = scriptedModel([{ toolCalls: [{ name: tool.name, input: input as Json }] }, 'x'])
  await createRuntime().run(defineAgent({ name: 'a', model, tools: [tool] }), 'go').result
  const message = model.requests[1]?.messages.find(each => each.role === 'tool')
  if (message?.role !== 'tool') throw new Error(`${tool.name} has no result`)
  return { text: JSON.stringify(message.content), isError: message.isError === true }
}

describe('every tool', () => {
  it('the table of this test lists every tool', async () => {
    await using scene = await openTools()
    expect(scene.tools.map(({ name }) => name).toSorted()).toEqual(Object.keys(CALLS).toSorted())
  })

  it.each(Object.keys(CALLS))(
    '%s has a description, a deadline, an effect, and a schema that rejects unknown arguments',
    async name => {
      await using scene = await openTools()
      const tool = scene.tools.find(each => each.name === name) as Tool
      expect(tool.description.length).toBeGreaterThan(20)
      expect(tool.timeoutMs).toBeGreaterThan(0)
      expect(['read', 'idempotent', 'once']).toContain(tool.effect)
      expect(toJsonSchema(tool.input)).toMatchObject({ type: 'object', additionalProperties: false })
    },
  )

  it.each(Object.keys(CALLS))(
    '%s accepts valid input, and tells the model how to correct invalid input',
    async name => {
      await using scene = await openTools()
      const tool = scene.tools.find(each => each.name === name) as Tool
      const { good, bad, words } = CALLS[name] as (typeof CALLS)[string]
      // These need a server, or an earlier step of the run that they could remove.
      const lacking = ['fetch_url', 'read_webpage', 'get_pet', 'trim_context', 'revert_to_state'].includes(name)
      expect((await told(tool, good)).isError).toBe(lacking)
      const refused = await told(tool, bad)
      expect(refused.text).toMatch(words)
      expect(refused.isError).toBe(true)
      // A model cannot act on a stack or a class name.
      expect(refused.text).not.toMatch(/\bat \S+:\d+|TypeError|ENOENT|undefined/)
      const unknown = await told(tool, { ...good, colour: 'red' })
      expect(unknown.text).toMatch(/colour/)
      expect(unknown.isError).toBe(true)
    },
  )

  it.each(Object.keys(CALLS))('%s throws the reason of the signal if the call was already stopped', async name => {
    await using scene = await openTools()
    const { good } = CALLS[name] as (typeof CALLS)[string]
    const signal = AbortSignal.abort(new Error('stopped before'))
    const call = callTool(scene.tools, name, { ...good, signal })
    await expect(call).rejects.toSatisfy(error => !ParleyError.is(error) && String(error).includes('stopped before'))
  })
})
