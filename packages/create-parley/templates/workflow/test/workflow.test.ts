import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRuntime } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { defineResearch } from '../src/workflow.ts'

test('the workflow answers each question and writes a report', async () => {
  const prompts: string[] = []
  const model = scriptedModel(({ messages }) => {
    const text = JSON.stringify(messages.at(-1)?.content)
    prompts.push(text)
    return text.includes('report') ? 'A report.' : 'A finding.'
  })
  const runtime = createRuntime({ agents: [defineResearch(model)] })
  const { text } = await runtime.invoke('research', 'go', { variables: { questions: ['Who?', 'When?'] } })
  assert.equal(text, 'A report.')
  assert.equal(prompts.length, 3)
  assert.match(prompts.at(-1) ?? '', /A finding\./)
  await runtime.close()
})
