// The process that asks ends. Another process submits the result and continues the run.
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineTool } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { openSqliteStore } from '@parley/sqlite'
import { scriptedModel, type Script } from '@parley/testing'

/** Both processes define the same agent over the same file. */
async function open(path: string, script: Script) {
  const store = await openSqliteStore({ path })
  const locate = defineTool({ name: 'locate', description: 'Where the user is.', input: { type: 'object' } })
  const agent = defineAgent({ name: 'guide', model: scriptedModel(script), tools: [locate] })
  return { store, runtime: createRuntime({ store, agents: [agent] }) }
}

const [, , path, runId, callId] = process.argv
if (path === undefined || runId === undefined || callId === undefined) await ask()
else await submit(path, { runId, callId })

async function ask(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'client-tools-'))
  const file = join(folder, 'runs.db')
  const { store, runtime } = await open(file, [{ toolCalls: [{ name: 'locate', input: {} }] }])
  const waiting = await runtime.run('guide', 'Do I need an umbrella?').result
  if (waiting.status !== 'suspended') throw new Error(waiting.status)
  const [call] = waiting.clientCalls
  console.log(waiting.status, call?.name) // → suspended locate
  await runtime.close()
  await store[Symbol.asyncDispose]()

  const args = [...process.execArgv, import.meta.filename, file, waiting.runId, call?.callId ?? '']
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  process.stderr.write(stderr)
  console.log(stdout.trim()) // → completed It rains in Bern.
  await rm(folder, { recursive: true })
}

async function submit(file: string, call: { readonly runId: string; readonly callId: string }): Promise<void> {
  const { store, runtime } = await open(file, ['It rains in Bern.'])
  const run = await runtime.submitToolResult(call.runId, call.callId, { city: 'Bern' })
  const { status, text } = await run.orThrow()
  console.log(status, text)
  await runtime.close()
  await store[Symbol.asyncDispose]()
}
