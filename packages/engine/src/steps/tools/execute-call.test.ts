import { defineMiddleware, defineTool, userMessage, type Entry, type ToolEffect } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'
import { createRuntime, defineAgent } from '../../index.ts'

/** The journal of a run whose process died while the handler of its only call ran. */
function interrupted(effect: ToolEffect): readonly Entry[] {
  const call = { type: 'tool-call' as const, callId: 'c', name: 'work', arguments: '{}' }
  const identity = { agent: 'a', model: 'p/m', sessionId: 's', scope: 'default', relation: 'initial' as const }
  const usage = { input: 1, output: 1, reasoning: 0, cacheRead: 0, cacheWrite: 0 }
  const bodies = [
    { type: 'run.started', ...identity },
    { type: 'message.appended', source: 'input', message: userMessage('go') },
    { type: 'model.called', turn: 1, model: 'p/m', finish: 'tool-calls', usage, durationMs: 1 },
    { type: 'message.appended', source: 'model', message: { role: 'assistant', content: [call] } },
    { type: 'tool.started', turn: 1, callId: 'c', name: 'work', input: {}, effect, attempt: 1 },
  ]
  return bodies.map((body, index) => ({ ...body, v: 1, seq: index + 1, at: index }) as Entry)
}

/** Resumes it. @returns How often the handler ran again, which calls passed the middleware, and what the journal says. */
async function resumed(effect: ToolEffect, isKnown = true) {
  const store = createMemoryStore()
  await store.append({ runId: 'r', expectedSeq: 0, worker: 'gone', fence: 1, entries: interrupted(effect) })
  let calls = 0
  const execute = (): string => `worked ${++calls}`
  const work = defineTool({ name: 'work', description: 'Works.', input: { type: 'object' }, effect, execute })
  const passed: string[] = []
  const middleware = defineMiddleware('watch', () => ({
    tool(call, next) {
      passed.push(call.tool.name)
      return next(call)
    },
  }))
  const tools = isKnown ? [work] : []
  const agents = [defineAgent({ name: 'a', model: scriptedModel(['Done.']), tools, middleware: [middleware] })]
  const run = await createRuntime({ agents, store }).resume('r')
  expect((await run.result).status).toBe('completed')
  const ended = (await store.read('r')).find(entry => entry.type === 'tool.ended')
  return { calls, passed, error: ended?.error?.code }
}

it('a once tool does not run again after a crash that hid its outcome', async () => {
  expect(await resumed('once')).toEqual({ calls: 0, passed: [], error: 'tool-interrupted' })
})

it('a once tool that the process no longer knows is reported as interrupted, because it may have run', async () => {
  expect(await resumed('once', false)).toMatchObject({ error: 'tool-interrupted' })
  expect(await resumed('read', false)).toMatchObject({ error: 'tool-unknown' })
})

it('a read tool and an idempotent tool run again after a crash', async () => {
  expect(await resumed('read')).toMatchObject({ calls: 1, error: undefined })
  expect(await resumed('idempotent')).toMatchObject({ calls: 1, error: undefined })
})

it('the start of a call is in the store before its handler runs', async () => {
  const store = createMemoryStore()
  const seen: (string | undefined)[] = []
  const work = defineTool({
    name: 'work',
    description: 'Works.',
    input: { type: 'object' },
    execute: async (_, { run }) => void seen.push((await store.read(run.runId)).at(-1)?.type),
  })
  const model = scriptedModel([{ toolCalls: [{ name: 'work' }] }, 'Done.'])
  await createRuntime({ agents: [defineAgent({ name: 'a', model, tools: [work] })], store }).invoke('a', 'go')
  expect(seen).toEqual(['tool.started'])
})
