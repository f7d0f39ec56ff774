// An agent edits a file and checks the result. Tools reject paths, commands and addresses outside its workspace.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { createFileTools } from '@parley/tools/files'
import { createShellTool } from '@parley/tools/shell'
import { createWebTools } from '@parley/tools/web'
import { createWorkspace } from '@parley/tools/workspace'

const directory = await mkdtemp(join(tmpdir(), 'parley-example-'))
await writeFile(join(directory, 'price.mjs'), 'export const price = 100\n')

const workspace = createWorkspace({ roots: [directory] })
const tools = [
  ...createFileTools({ workspace, write: true }),
  ...createWebTools(),
  createShellTool({ workspace, policy: 'no-network', confirm: 'never' }),
]
const model = scriptedModel([
  {
    toolCalls: [
      { name: 'edit', input: { path: 'price.mjs', edits: [{ oldText: '= 100', newText: '= 120' }] } },
      { name: 'write', input: { path: '../elsewhere.txt', content: 'x' } },
      { name: 'shell', input: { argv: ['rm', '-rf', '/'] } },
      { name: 'fetch_url', input: { url: 'http://169.254.169.254/latest/meta-data/' } },
    ],
  },
  { toolCalls: [{ name: 'shell', input: { argv: ['grep', '-c', '120', 'price.mjs'] } }] },
  { text: 'The price is 120 now.' },
])
await using runtime = createRuntime({ agents: [defineAgent({ name: 'clerk', model, tools })] })

const run = runtime.run('clerk', 'Raise the price to 120.')
const ends: string[] = []
for await (const event of run) {
  if (event.type === 'tool.ended') ends.push(`${event.name} ${event.message.isError === true ? 'refused' : 'done'}`)
}
const { text } = await run.orThrow()
console.log(ends.toSorted().join(', ')) // → edit done, fetch_url refused, shell done, shell refused, write refused
console.log(text) // → The price is 120 now.
assert.equal(await readFile(join(directory, 'price.mjs'), 'utf8'), 'export const price = 120\n')
await rm(directory, { recursive: true })
