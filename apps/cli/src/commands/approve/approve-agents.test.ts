import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createRuntime } from '@parley/engine'
import { loadAgents } from '@parley/evals/crash-test'
import { openSqliteStore } from '@parley/sqlite'
import { expect, it } from 'vitest'
import { openCli } from '../../__fixtures__/open-cli.ts'

/** The module of a program: an agent that pays once someone of the role `support` has approved. */
const AGENTS = `
const answer = async function* ({ messages }) {
  const result = messages.find(({ role }) => role === 'tool')
  if (result === undefined) yield { type: 'tool-call', callId: 'c1', name: 'pay', arguments: '{}' }
  else yield { type: 'text.delta', text: 'Done: ' + result.content[0].text }
  yield { type: 'finish', reason: result === undefined ? 'tool-calls' : 'stop' }
}
const pay = {
  name: 'pay', description: 'Pays.', input: { type: 'object' }, 
  permission: { effect: 'ask', roles: ['support'] }, execute: () => 'paid by the module',
}
export const clerk = { name: 'clerk', model: { provider: 'x', id: 'y', info: {}, stream: answer }, tools: [pay] }
`

it('parley approve decides about the run of a program with the module of its agents, and asks for the module without it', async () => {
  await using cli = await openCli()
  const runId = await suspendRun(cli.dir)

  const listed = await cli.run('approve', '--db', 'support.db')
  expect(listed.out).toMatch(
    /pay \{\}\nDecide: parley approve \S+ --db support.db --role support \[--reject REASON\]\n$/,
  )

  const refused = await cli.run('approve', runId, '--db', 'support.db', '--role', 'support')
  expect(refused.code).toBe(2)
  expect(refused.error).toBe(
    "parley: agent 'clerk': is not an agent of this command; name the module that exports it: --agents FILE\n",
  )

  const approved = await cli.run(
    'approve',
    runId,
    '--db',
    'support.db',
    '--role',
    'support',
    '--agents',
    'agents.mjs',
    '-q',
  )
  expect([approved.code, approved.out]).toEqual([0, 'Done: paid by the module\n'])
})

it('parley resume continues the run of a program with the module of its agents', async () => {
  await using cli = await openCli()
  const runId = await suspendRun(cli.dir)
  const { code, out } = await cli.run('resume', runId, '--db', 'support.db', '--agents', 'agents.mjs')
  expect(code).toBe(3)
  expect(out).toContain('decide: parley approve')
})

/** A program starts a run that waits for approval. */
async function suspendRun(dir: string): Promise<string> {
  const module = join(dir, 'agents.mjs')
  await writeFile(module, AGENTS)
  await using store = await openSqliteStore({ path: join(dir, 'support.db') })
  const runtime = createRuntime({ store, agents: [...(await loadAgents(module))] })
  const run = runtime.run('clerk', 'Pay it.')
  await run.result
  return run.runId
}
