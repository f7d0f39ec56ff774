import { expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import { defineTool, type Tool } from '../index.ts'

it("defineTool infers the handler's input type from a Standard Schema", () => {
  const tool = defineTool({
    name: 'search',
    description: 'Search.',
    input: z.object({ query: z.string(), limit: z.number().default(3) }),
    execute: input => {
      expectTypeOf(input).toEqualTypeOf<{ query: string; limit: number }>()
      return input.query
    },
  })
  expectTypeOf(tool).toExtend<Tool>()
})

it('defineTool gives the handler unknown input for a JSON Schema', () => {
  defineTool({
    name: 'search',
    description: 'Search.',
    input: { type: 'object' },
    execute: input => {
      expectTypeOf(input).toEqualTypeOf<unknown>()
    },
  })
})
