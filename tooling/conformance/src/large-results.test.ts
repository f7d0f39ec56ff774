import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineTool, messageText, type ArtifactStore } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createOffload } from '@parley/middleware/offload'
import { openSqliteStore } from '@parley/sqlite'
import { scriptedModel, type Script } from '@parley/testing'
import { expect, it } from 'vitest'
import * as z from 'zod'

const long = Array.from({ length: 1_000 }, (_, line) => `line ${line}`).join('\n')
const dump = defineTool({ name: 'dump', description: 'Gives much.', input: z.object({}), execute: () => long })

/** Opens the store as a new process would, runs the agent in a session and returns the last message to the model. */
async function ask(path: string, sessionId: string, script: Script): Promise<string> {
  await using store = await openSqliteStore({ path })
  const { middleware, tool } = createOffload({ store: store.artifacts as ArtifactStore, maxCharacters: 1_000 })
  const model = scriptedModel(script)
  const agent = defineAgent({ name: 'a', model, tools: [dump, tool], middleware: [middleware] })
  await createRuntime({ store, agents: [agent] }).invoke('a', 'go', { sessionId })
  const last = model.requests.at(-1)?.messages.at(-1)
  return last === undefined ? '' : messageText(last)
}

it('a large result stays readable for its own session after a restart, and for no other session', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-large-results-'))
  const path = join(folder, 'runs.db')
  const shown = await ask(path, 'mine', [{ toolCalls: [{ name: 'dump' }] }, 'Much.'])
  const id = /id '([^']+)'/.exec(shown)?.[1]
  expect(shown).not.toContain('line 777')
  const read: Script = [{ toolCalls: [{ name: 'read_artifact', input: { id, search: 'line 777' } }] }, 'Read.']
  expect(await ask(path, 'mine', read)).toContain('line 777\nline 778')
  expect(await ask(path, 'theirs', read)).toContain(`There is no artifact '${id}'`)
  await rm(folder, { recursive: true, force: true })
})
