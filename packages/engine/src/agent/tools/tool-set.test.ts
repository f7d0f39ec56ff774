import type { Tool, ToolSource } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { add, callAdd, setup } from '../../runtime/__fixtures__/set-up-agent.ts'

interface ChangingSource extends ToolSource {
  /** Returns these tools from now on, and reports the change. */
  change(list: () => readonly Tool[] | Promise<readonly Tool[]>): void
}

function changingSource(first: readonly Tool[]): ChangingSource {
  let list: () => readonly Tool[] | Promise<readonly Tool[]> = () => first
  const listeners = new Set<() => void>()
  return {
    name: 's',
    tools: async () => list(),
    onChange: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    change(next) {
      list = next
      for (const listener of listeners) listener()
    },
    [Symbol.asyncDispose]: async () => {},
  }
}

/** A tool that changes the source while it runs. */
function whileRunning(change: () => void): Tool {
  return {
    ...add,
    execute: () => {
      change()
      return 'changed'
    },
  }
}

describe('a source that changes in the middle of a run', () => {
  const later = { ...add, name: 'later' }
  const namesSent = ({ model }: ReturnType<typeof setup>): string[][] =>
    model.requests.map(request => request.tools.map(({ name }) => name))

  it('the new tools of a changed source are offered in the next model call', async () => {
    const source = changingSource([whileRunning(() => source.change(() => [later]))])
    const given = setup([callAdd, { toolCalls: [{ name: 'later', input: { a: 3, b: 4 } }] }, 'Done.'], {
      tools: [source],
    })
    const { messages } = await given.run().result
    expect(namesSent(given)).toEqual([['add'], ['later'], ['later']])
    expect(messages.filter(({ role }) => role === 'tool').map(({ content }) => content)).toMatchObject([
      [{ text: 'changed' }],
      [{ text: '7' }],
    ])
  })

  it('a source is asked only after it changed', async () => {
    let asked = 0
    const source = changingSource([])
    source.change(() => {
      asked += 1
      return [add]
    })
    await setup([callAdd, callAdd, callAdd, 'Done.'], { tools: [source] }).run().result
    expect(asked).toBe(1)
  })

  it('a run keeps its tools when a changed source fails, and asks it again before the next call', async () => {
    const broken = (): never => {
      throw new Error('server is down')
    }
    let rounds = 0
    const working = whileRunning(() => source.change((rounds += 1) === 1 ? broken : () => [working, later]))
    const source = changingSource([working])
    const given = setup([callAdd, callAdd, 'Done.'], { tools: [source] })
    expect(await given.run().result).toMatchObject({ status: 'completed', text: 'Done.' })
    expect(namesSent(given)).toEqual([['add'], ['add'], ['add', 'later']])
  })
})

it('cancelling a run that waits for a source does not affect another run that waits for it', async () => {
  let asked = 0
  const source: ToolSource = {
    name: 's',
    tools: async ({ signal } = {}) => {
      asked += 1
      if (asked > 1) return [add]
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('source stopped'))))
    },
    [Symbol.asyncDispose]: async () => {},
  }
  const { run } = setup([callAdd, 'Done.'], { tools: [source] })
  const [first, second] = [run(), run()]
  await expect.poll(() => asked).toBe(1)
  await first.cancel()
  expect(await first.result).toMatchObject({ status: 'cancelled' })
  expect(await second.result).toMatchObject({ status: 'completed', text: 'Done.' })
})
