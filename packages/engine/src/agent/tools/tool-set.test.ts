import type { JsonSchemaObject, Tool, ToolSource } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { add, callAdd, eventsOf, setup } from '../../runtime/__fixtures__/set-up-agent.ts'

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

describe('a tool of a source whose schema cannot be used', () => {
  const broken: Tool = { ...add, name: 'broken', input: { type: 'object', properties: { a: { type: 'objekt' } } } }

  it('a tool with an unusable schema is omitted with an event, and the run continues with the other tools', async () => {
    const given = setup([callAdd, 'Done.', callAdd, 'Done.'], { tools: [changingSource([broken, add])] })
    for (const input of ['first', 'second']) {
      const run = given.run(input)
      const events = await eventsOf(run)
      expect(events.filter(({ type }) => type === 'tool.omitted')).toMatchObject([
        { name: 'broken', error: { code: 'tool-schema-invalid', tool: 'broken' } },
      ])
      expect(await run.result).toMatchObject({ status: 'completed' })
    }
    expect(given.model.requests[0]?.tools.map(({ name }) => name)).toEqual(['add'])
  })

  it.each([
    ['a tuple of draft-07', { type: 'array', items: [{ type: 'string' }, { type: 'number' }] }],
    ['a boolean exclusiveMinimum', { type: 'number', minimum: 0, exclusiveMinimum: true }],
    ['required: null', { type: 'object', required: null }],
    ['a needless escape in a pattern', { type: 'string', pattern: '^\\_[a-z]+$' }],
    ['an inline flag in a pattern', { type: 'string', pattern: '(?i)^abc$' }],
    ['look-ahead in a pattern', { type: 'string', pattern: '^(?!\\.)(?!.*\\.\\.)[a-z.]+@[a-z.]+$' }],
  ])('a tool whose schema has %s is offered to the model', async (_, schema) => {
    const tool: Tool = { ...add, name: 'old', input: { type: 'object', properties: { a: schema } } }
    const given = setup(['Done.'], { tools: [changingSource([tool])] })
    expect(await given.run().result).toMatchObject({ status: 'completed' })
    expect(given.model.requests[0]?.tools.map(({ name }) => name)).toEqual(['old'])
  })

  it('a tool whose schema is nested 100,000 deep is omitted', async () => {
    let input: JsonSchemaObject = { type: 'string' }
    for (let depth = 0; depth < 100_000; depth++) input = { items: input }
    const given = setup(['Done.'], { tools: [changingSource([{ ...add, name: 'deep', input }, add])] })
    expect(await given.run().result).toMatchObject({ status: 'completed' })
    expect(given.model.requests[0]?.tools.map(({ name }) => name)).toEqual(['add'])
  })

  it('the model gets the schema of a tool in the forms of draft 2020-12', async () => {
    const pair = { type: 'array', items: [{ type: 'string' }], additionalItems: false }
    const tool: Tool = { ...add, name: 'old', input: { type: 'object', required: null, properties: { pair } } }
    const given = setup(['Done.'], { tools: [changingSource([tool])] })
    await given.run().result
    expect(given.model.requests[0]?.tools[0]?.inputSchema).toEqual({
      type: 'object',
      properties: { pair: { type: 'array', prefixItems: [{ type: 'string' }], items: false } },
    })
  })

  it('an agent with a tool of its own whose schema is invalid is rejected with tool-schema-invalid', () => {
    expect(() => setup([], { tools: [broken] })).toThrow(/broken.*objekt/)
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
