import { defineTool, type Tool } from '@parley/core'
import { expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import { gateProgress } from '../hooks/index.ts'
import { createPiiMask } from './index.ts'

const tool = defineTool({
  name: 't',
  description: 'd',
  input: z.object({ to: z.string(), copies: z.number().default(1) }),
  execute: ({ copies }) => copies,
})

it('protect and gateProgress keep the types of the wrapped tool', () => {
  expectTypeOf(createPiiMask().protect(tool)).toEqualTypeOf<Tool<{ to: string; copies: number }, number>>()
  expectTypeOf(gateProgress(tool, () => true)).toEqualTypeOf<Tool<{ to: string; copies: number }, number>>()
})
