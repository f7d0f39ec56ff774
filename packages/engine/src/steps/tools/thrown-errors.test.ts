import { defineMiddleware, defineTool } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'
import { createRuntime, defineAgent } from '../../index.ts'

it('the journal keeps the stack and the cause of a tool that throws, and the model reads only the message', async () => {
  const store = createMemoryStore()
  const look = defineTool({
    name: 'look',
    description: 'd',
    input: { type: 'object' },
    execute: () => {
      throw new TypeError('it is dark', { cause: new Error('no lamp') })
    },
  })
  const model = scriptedModel([{ toolCalls: [{ name: 'look' }] }, 'Sorry.'])
  const runtime = createRuntime({ store, agents: [defineAgent({ name: 'a', model, tools: [look] })] })
  const { runId, messages } = await runtime.invoke('a', 'go')
  const ended = (await store.read(runId)).find(entry => entry.type === 'tool.ended')
  expect(ended?.error).toMatchObject({ code: 'tool-failed', detail: 'it is dark' })
  const { stack = '' } = ended?.error?.code === 'tool-failed' ? ended.error : {}
  expect(stack).toMatch(/^TypeError: it is dark\n.*thrown-errors\.test/)
  expect(stack).toMatch(/\[cause\]: Error: no lamp\n/)
  expect(JSON.stringify([messages, model.requests])).not.toMatch(/thrown-errors|no lamp/)
})

it('the result of a run that a hook ended keeps the stack of the hook', async () => {
  const broken = defineMiddleware('broken', () => ({
    beforeTurn: () => {
      throw new Error('the hook is broken')
    },
  }))
  const agent = defineAgent({ name: 'a', model: scriptedModel(['never']), middleware: [broken] })
  const result = await createRuntime({ store: createMemoryStore() }).run(agent, 'go').result
  expect(result).toMatchObject({ status: 'failed', error: { code: 'internal', detail: 'the hook is broken' } })
  const error = result.status === 'failed' ? result.error : undefined
  expect(error?.code === 'internal' && error.stack).toContain('thrown-errors.test')
})
