import * as core from '@parley/core'
import { defineTool, toolError, userMessage } from '@parley/core'
import * as engine from '@parley/engine'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import * as testing from '@parley/testing'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { toTestFile } from '../index.ts'

/** Runs the text of a test file in this process. */
async function execute(text: string): Promise<readonly string[]> {
  const tests: { readonly name: string; readonly run: () => Promise<void> }[] = []
  const vitest = { expect, it: (name: string, run: () => Promise<void>) => tests.push({ name, run }) }
  const modules = { '@parley/core': core, '@parley/engine': engine, '@parley/testing': testing, vitest }
  const code = text.replaceAll(/^import (\{.*\}) from ('.*')$/gm, 'const $1 = modules[$2]')
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- the generated file is what this test is about
  new Function('modules', code)(modules)
  for (const { run } of tests) await run()
  return tests.map(({ name }) => name)
}

/** A run with an approval, a failed call, two calls at once, a follow-up and an earlier conversation. */
async function record() {
  const store = createMemoryStore()
  const look = defineTool({
    name: 'look',
    description: 'd',
    input: { type: 'object' },
    effect: 'read',
    execute: () => 'sun',
  })
  const pay = defineTool({ ...look, name: 'pay', effect: 'once', permission: 'ask', execute: () => 'paid' })
  const fail = defineTool({ ...look, name: 'fail', execute: () => toolError('No "power".') })
  const model = scriptedModel([
    'Earlier.',
    { reasoning: 'Look first.', toolCalls: [{ name: 'look', input: { a: 1 } }, { name: 'fail' }] },
    { text: 'Now pay.', toolCalls: [{ name: 'pay' }] },
    'Paid `it` for ${you}.',
    'And thanks.',
  ])
  const agents = [defineAgent({ name: 'The guide', model, tools: [look, pay, fail] })]
  const runtime = createRuntime({ store, agents })
  await runtime.run('The guide', 'before', { sessionId: 's' }).orThrow()
  const run = runtime.run('The guide', 'Pay if it is sunny.', { sessionId: 's' })
  await run.followUp('Thank them.')
  const asked = await run.result
  const approvalId = asked.status === 'suspended' ? (asked.approvals[0]?.approvalId ?? '') : ''
  await (await runtime.decide(run.runId, approvalId, { decision: { type: 'approved' } })).orThrow()
  const history = (await runtime.transcript(run.runId)).slice(0, 2)
  return { runId: run.runId, entries: await store.read(run.runId), history }
}

describe('toTestFile', () => {
  it('the test file of a run repeats the run without its tools, its model or an approval', async () => {
    const recorded = await record()
    const { name, text } = toTestFile(recorded)
    expect(name).toBe('the-guide.test.ts')
    expect(await execute(text)).toEqual([`the agent The guide answers as in run ${recorded.runId}`])
    expect(text).toContain('And thanks.')
  })

  it('the test file fails if the agent answers otherwise or makes other calls', async () => {
    const { text } = toTestFile(await record())
    await expect(execute(text.replace('toBe("And thanks.")', 'toBe("Other.")'))).rejects.toThrow('And thanks.')
    await expect(execute(text.replace('called.push(callId)', ''))).rejects.toThrow('to deeply equal')
  })

  it('the test file of a failed run expects the failure', async () => {
    const store = createMemoryStore()
    const error = { code: 'model-auth', provider: 'scripted', detail: 'no key' } as const
    const agents = [defineAgent({ name: 'a', model: scriptedModel([{ error }]) })]
    const { runId } = await createRuntime({ store, agents }).run('a', userMessage('go')).result
    const { text } = toTestFile({ runId, entries: await store.read(runId), history: [] })
    expect(text).toContain('expect(status).toBe("failed")')
    expect(await execute(text)).toHaveLength(1)
  })
})
