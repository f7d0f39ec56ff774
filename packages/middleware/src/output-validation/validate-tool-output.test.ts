import { defineTool, toolOk, type Schema, type Tool } from '@parley/core'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { setup, toldIn } from '../__fixtures__/set-up-agent.ts'
import { validateToolOutput } from './validate-tool-output.ts'

const zodSchema = z.object({ city: z.string(), degrees: z.number() })
const jsonSchema = {
  type: 'object',
  properties: { city: { type: 'string' }, degrees: { type: 'number' } },
  required: ['city', 'degrees'],
}

async function told(schema: Schema, result: unknown): Promise<string | undefined> {
  const weather = defineTool({ name: 'weather', description: 'Weather.', input: z.object({}), execute: () => result })
  const middleware = validateToolOutput({ schemas: { weather: schema } })
  const { run, model } = setup([{ toolCalls: [{ name: 'weather' }] }, 'x'], [middleware], { tools: [weather as Tool] })
  await run().result
  return toldIn(model.requests[1])[0]
}

it.each([
  ['a Standard Schema', zodSchema],
  ['a JSON Schema', jsonSchema],
])('validateToolOutput validates a result against %s', async (_, schema) => {
  expect(await told(schema, { city: 'Oslo', degrees: 4 })).toBe('{"city":"Oslo","degrees":4}')
  expect(await told(schema, { city: 'Oslo' })).toContain("'weather' returned a value that does not fit")
  expect(await told(schema, 'cold')).toContain('does not fit its output schema')
})

it('validateToolOutput validates structured data instead of the text beside it', async () => {
  expect(await told(zodSchema, toolOk('4 degrees in Oslo', { city: 'Oslo', degrees: 4 }))).toBe('4 degrees in Oslo')
  expect(await told(zodSchema, toolOk('4 degrees in Oslo', { city: 'Oslo' }))).toContain('does not fit')
})
