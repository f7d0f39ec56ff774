import { defineTool } from '@parley/core'
import { agentTool, createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { bestOf, fanOut, createJudge } from '@parley/workflow/parallel'
import { scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'
import { assistant, eventsOf } from './__fixtures__/assistant.ts'

const agent = (name: string, ...script: Parameters<typeof scriptedModel>) =>
  defineAgent({ name, model: scriptedModel(...script) })
const down = { error: { code: 'model-server', provider: 'p', detail: 'down' } } as const

it('26: fanOut with fail-fast stops the other branches and keeps each failure at the index of its branch', async () => {
  const agents = [agent('hangs', [{ hang: true }]), agent('fails', [down]), agent('works', ['Done.'])]
  const runtime = createRuntime({ agents })
  const branches = agents.map(({ name }) => ({ agent: name, input: 'go' }))
  const { results, failedFirst } = await fanOut(runtime, branches, { onFailure: 'fail-fast' })
  expect(failedFirst).toBe(1)
  expect(results.map(({ status }) => status).slice(0, 2)).toEqual(['cancelled', 'failed'])
})

it('36: a run that continues a session after a restart sees its earlier messages', async () => {
  const store = createMemoryStore()
  const first = createRuntime({ agents: [agent('a', ['One.'])], store })
  const { sessionId } = await first.run('a', 'first').result
  await first.close()
  const second = createRuntime({ agents: [agent('a', ['Two.'])], store })
  const { messages } = await second.run('a', 'second', { sessionId }).result
  expect(messages).toHaveLength(4)
  expect((await second.session(sessionId)).map(({ relation }) => relation)).toEqual(['initial', 'continue'])
})

it('37: the parent run gets a failed child run as a tool error, adds its usage and passes on what is left of its limits', async () => {
  const failing = agentTool(agent('failing', [down]))
  const endless = defineTool({ name: 'noop', description: 'd', input: { type: 'object' }, execute: () => 'ok' })
  const greedy = agentTool(
    defineAgent({ name: 'greedy', model: scriptedModel(() => ({ toolCalls: [{ name: 'noop' }] })), tools: [endless] }),
  )
  const calls = ['failing', 'greedy'].map(name => ({ name, input: { task: 'go' } }))
  const given = assistant([{ toolCalls: calls }, 'Done.'], { tools: [failing, greedy], limits: { maxTokens: 100 } })
  const run = given.run()
  const events = await eventsOf(run)
  const result = await run.result
  const ended = events.flatMap(event => (event.type === 'agent.ended' ? [event] : []))
  expect(ended.map(({ outcome }) => outcome.status).toSorted()).toEqual(['failed', 'limit'])
  const told = events.flatMap(event => (event.type === 'tool.ended' && event.path.length === 0 ? [event.message] : []))
  expect(told.map(({ isError }) => isError)).toEqual([true, true])
  const own = events.filter(event => event.type === 'model.called' && event.path.length === 0).length
  expect(result.usage.input).toBe(own * 10 + ended.reduce((sum, { usage }) => sum + usage.input, 0))
  // All runs share 100 tokens. The last call can exceed them by its own 15 tokens.
  expect(result.usage.input + result.usage.output).toBeLessThan(100 + 15)
})

it('38: bestOf never selects a failed branch, and fails if the judge does not name exactly one answer', async () => {
  const candidates = [agent('fails', [down]), agent('short', ['Yes.']), agent('long', ['Yes, and here is why.'])]
  const runtime = createRuntime({ agents: candidates })
  const names = candidates.map(({ name }) => name)
  for (const strategy of ['first', 'cheapest', 'most-elaborate'] as const) {
    const fresh = createRuntime({
      agents: [
        agent('fails', [down]),
        agent('short', ['Yes.']),
        agent('long', [{ text: 'Yes, and why.', usage: { output: 50 } }]),
      ],
    })
    const best = await bestOf(fresh, names, { input: 'go', strategy })
    expect(best.status === 'selected' ? best.winner.status : best.status).toBe('completed')
  }
  const babble = createJudge({ model: scriptedModel(['Of the 3 answers I like 2 best', '99']) })
  const judged = await bestOf(runtime, names, { input: 'go', strategy: babble })
  expect(judged).toMatchObject({ status: 'failed', error: { code: 'selection-failed' } })
})
