import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRuntime } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { defineAssistant } from '../src/agent.ts'

test('the assistant counts words with its tool', async () => {
  const model = scriptedModel([{ toolCalls: [{ name: 'count_words', input: { text: 'one two' } }] }, 'Two words.'])
  const runtime = createRuntime({ agents: [defineAssistant(model)] })
  const run = runtime.run('assistant', 'How many words has "one two"?')
  const results: unknown[] = []
  for await (const event of run) if (event.type === 'tool.ended') results.push(...event.message.content)
  assert.deepEqual(results, [{ type: 'text', text: '{"words":2}' }])
  assert.equal((await run.orThrow()).text, 'Two words.')
  await runtime.close()
})
