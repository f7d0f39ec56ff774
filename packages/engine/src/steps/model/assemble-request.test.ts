import { defineMiddleware, type Message } from '@parley/core'
import { scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'
import { createRuntime, defineAgent, type Agent, type RunOptions } from '../../index.ts'
import { add, callAdd } from '../../runtime/__fixtures__/set-up-agent.ts'

/** Runs three turns on a model that keeps the lists of messages, and returns the lists and their lengths at each call. */
async function listsOf(borrowsMessages: boolean, agent: Partial<Agent> = {}, options: RunOptions = {}) {
  const lists: (readonly Message[])[] = []
  const lengths: number[] = []
  const scripted = scriptedModel([callAdd, callAdd, 'Done.'])
  const model: Agent['model'] = {
    ...scripted,
    borrowsMessages,
    stream(request, given) {
      lists.push(request.messages)
      lengths.push(request.messages.length)
      return scripted.stream(request, given)
    },
  }
  await createRuntime().run(defineAgent({ name: 'a', model, tools: [add], ...agent }), 'go', options).result
  return { lists, lengths }
}

const lengthsOf = (lists: readonly (readonly Message[])[]): number[] => lists.map(({ length }) => length)

it('a model that borrows messages receives all of them in each turn, in the list of the run', async () => {
  const { lists, lengths } = await listsOf(true)
  expect(lengths).toEqual([1, 3, 5])
  expect(new Set(lists.slice(1)).size).toBe(1)
})

it('the messages of a request stay as they are for a model that does not borrow them', async () => {
  const { lists, lengths } = await listsOf(false)
  expect([lengths, lengthsOf(lists)]).toEqual([
    [1, 3, 5],
    [1, 3, 5],
  ])
})

it('the messages of a request stay as they are if a middleware wraps the call', async () => {
  const seen: (readonly Message[])[] = []
  const watching = defineMiddleware('watching', () => ({
    model: (call, next) => {
      seen.push(call.request.messages)
      return next(call)
    },
  }))
  await listsOf(true, { middleware: [watching] })
  expect(lengthsOf(seen)).toEqual([1, 3, 5])
})

it('the messages of a request stay as they are if requests are captured', async () => {
  const { lists } = await listsOf(true, {}, { captureRequests: 'show' })
  expect(lengthsOf(lists)).toEqual([1, 3, 5])
})
