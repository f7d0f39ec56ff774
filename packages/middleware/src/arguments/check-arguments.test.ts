import { defineTool, type Tool } from '@parley/core'
import { compileSchema } from '@parley/core/json-schema'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { setup, toldIn } from '../__fixtures__/set-up-agent.ts'
import { checkArguments, type CheckArgumentsOptions } from './check-arguments.ts'
import { fitArguments } from './fit-arguments.ts'

const input = z.strictObject({
  query: z.string(),
  maxResults: z.number().optional(),
  tags: z.array(z.string()).optional(),
  safe: z.boolean().optional(),
  order: z.enum(['Newest', 'Oldest']).optional(),
  range: z.object({ from: z.int() }).optional(),
})
const schema = z.toJSONSchema(input)

async function given(wrote: unknown, options: CheckArgumentsOptions = {}) {
  let handled: unknown
  const search = defineTool({
    name: 'search',
    description: 'Searches.',
    input,
    execute: value => {
      handled = value
      return 'ok'
    },
  })
  const script = [{ toolCalls: [{ name: 'search', arguments: JSON.stringify(wrote) }] }, 'x']
  const { run, model } = setup(script, [checkArguments(options)], { tools: [search as Tool] })
  await run().result
  return { handled, told: toldIn(model.requests[1])[0] }
}

describe('arguments that nearly fit', () => {
  it.each([
    ['a number as text', { query: 'a', maxResults: '5' }, { query: 'a', maxResults: 5 }],
    ['a boolean as text', { query: 'a', safe: 'True' }, { query: 'a', safe: true }],
    ['a number instead of text', { query: 42 }, { query: '42' }],
    ['a single value instead of a list', { query: 'a', tags: 'x' }, { query: 'a', tags: ['x'] }],
    ['a list as text', { query: 'a', tags: '["x","y"]' }, { query: 'a', tags: ['x', 'y'] }],
    ['an object as text', { query: 'a', range: '{"from":"3"}' }, { query: 'a', range: { from: 3 } }],
    ['null instead of a missing value', { query: 'a', tags: null }, { query: 'a' }],
    ['a key in another case', { query: 'a', max_results: 2 }, { query: 'a', maxResults: 2 }],
    ['an enum value in another case', { query: 'a', order: 'newest' }, { query: 'a', order: 'Newest' }],
    ['an unknown field', { query: 'a', verbose: true }, { query: 'a' }],
    ['a list around the object', [{ query: 'a' }], { query: 'a' }],
  ])('checkArguments repairs %s, unless repair is false', async (_, wrote, expected) => {
    expect((await given(wrote)).handled).toEqual(expected)
    expect((await given(wrote, { repair: false })).handled).toBeUndefined()
  })

  it('checkArguments reports a repair with the arguments before and after it', async () => {
    const repairs: unknown[] = []
    await given({ query: 1 }, { onRepair: ({ tool, before, after }) => repairs.push([tool, before, after]) })
    expect(repairs).toEqual([['search', { query: 1 }, { query: '1' }]])
  })

  it('the tool’s schema rejects arguments that checkArguments cannot repair', async () => {
    const { handled, told } = await given({ query: 'a', maxResults: 'many' })
    expect(handled).toBeUndefined()
    expect(told).toContain('/maxResults')
  })

  it('fitArguments keeps a number as text if a double cannot hold it exactly', () => {
    const wrote = { maxResults: '12345678901234567890' }
    expect(fitArguments(wrote, schema)).toBe(wrote)
  })
})

it('checkArguments refuses a call that violates a rule and tells the model the reason', async () => {
  const rules = {
    search: (value: unknown) => ((value as { query: string }).query === 'x' ? 'Search for more than x.' : undefined),
  }
  expect(await given({ query: 'x' }, { rules })).toEqual({
    handled: undefined,
    told: "The arguments of 'search' do not fit its schema: the value Search for more than x.",
  })
  expect((await given({ query: 'y' }, { rules })).handled).toEqual({ query: 'y' })
})

describe('fitArguments', () => {
  const validate = compileSchema(schema)
  it('fitArguments returns valid arguments unchanged', () => {
    const fitting = fc.record(
      {
        query: fc.string(),
        maxResults: fc.double({ noNaN: true, noDefaultInfinity: true }),
        tags: fc.array(fc.string()),
        safe: fc.boolean(),
        order: fc.constantFrom('Newest', 'Oldest'),
        range: fc.record({ from: fc.integer() }),
      },
      { requiredKeys: ['query'] },
    )
    fc.assert(
      fc.property(fitting, value => {
        expect(fitArguments(value, schema)).toBe(value)
      }),
    )
  })

  it('fitArguments accepts any value, is deterministic, and changes nothing the second time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.boolean(), async (part, nested) => {
        const value = nested ? { query: part, tags: part, range: part } : part
        const fitted = fitArguments(value, schema)
        expect(fitArguments(structuredClone(value), schema)).toEqual(fitted)
        if ((await validate(fitted)).ok) expect(fitArguments(fitted, schema)).toBe(fitted)
      }),
    )
  })
})
