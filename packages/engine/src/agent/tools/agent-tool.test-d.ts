import type { Tool } from '@parley/core'
import { expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import { agentTool } from './agent-tool.ts'

it('agentTool types the input of toInput by its schema', () => {
  const input = z.object({ city: z.string() })
  const tool = agentTool('helper', {
    input,
    toInput: given => {
      expectTypeOf(given).toEqualTypeOf<{ city: string }>()
      return given.city
    },
  })
  expectTypeOf(tool).toExtend<Tool>()
  // @ts-expect-error -- a schema of its own needs a way to make an input of it
  agentTool('helper', { input })
})
