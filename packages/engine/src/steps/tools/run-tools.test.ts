import { defineTool } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'
import type { DurableHost } from '../../host.ts'
import { createRuntime, defineAgent, type Run } from '../../index.ts'
import { plainHost, recordingHost } from '../../loop/__fixtures__/hosts.ts'

/** The calls that ran of an answer with two, if a message is queued during the first. */
async function callsAfter(kind: 'steer' | 'followUp', host?: DurableHost): Promise<readonly unknown[]> {
  const ran: unknown[] = []
  const work = defineTool({
    name: 'work',
    description: 'Works.',
    input: { type: 'object' },
    execute: async input => {
      ran.push(input)
      if (ran.length === 1) await run[kind]('a message')
      return 'worked'
    },
  })
  const toolCalls = [1, 2].map(number => ({ name: 'work', input: { number } }))
  const model = scriptedModel((_, index) => (index === 0 ? { toolCalls } : 'Done.'))
  const agents = [defineAgent({ name: 'a', model, tools: [work], toolExecution: 'sequential' })]
  const run: Run = createRuntime({ agents, store: createMemoryStore() }).run('a', 'go', { host })
  expect(await run.result).toMatchObject({ status: 'completed' })
  return ran
}

const HOSTS: readonly [string, () => DurableHost | undefined][] = [
  ['this process', () => undefined],
  ['a host that takes whole steps', () => plainHost],
  ['a host that runs each call', () => recordingHost(new Map())],
]

it.each(HOSTS)('a follow-up skips no call of an answer that runs in %s', async (_, host) => {
  expect(await callsAfter('followUp', host())).toEqual([{ number: 1 }, { number: 2 }])
})

it.each(HOSTS)(
  'a steering message skips the calls that have not begun of an answer that runs in %s',
  async (_, host) => {
    expect(await callsAfter('steer', host())).toEqual([{ number: 1 }])
  },
)
