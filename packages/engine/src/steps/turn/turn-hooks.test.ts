import { defineMiddleware, type Turn } from '@parley/core'
import { expect, it } from 'vitest'
import { setup } from '../../runtime/__fixtures__/set-up-agent.ts'

it('a hook that reads the messages of its turn later receives the messages of that time', async () => {
  const before: Turn[] = []
  const after: Turn[] = []
  const hooks = defineMiddleware('hooks', () => ({
    beforeTurn: turn => void before.push(turn),
    afterTurn: turn => void after.push(turn),
  }))
  const { run } = setup([{ toolCalls: [{ name: 'look' }] }, 'Done.'], { middleware: [hooks] })
  await run().result
  expect(before.map(turn => turn.messages.length)).toEqual([1, 3])
  expect(after.map(turn => turn.messages.length)).toEqual([3, 4])
})
