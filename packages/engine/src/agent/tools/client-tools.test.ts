import type { Json } from '@parley/core'
import { scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'
import { createRuntime, defineAgent } from '../../index.ts'

const nested = (levels: number): Record<string, Json> =>
  levels === 0 ? { type: 'object' } : { type: 'object', properties: { a: nested(levels - 1) } }

it('a runtime refuses tools of a client that a store could not keep, before the run begins', () => {
  const runtime = createRuntime({ agents: [defineAgent({ name: 'a', model: scriptedModel(['Never asked.']) })] })
  const clientTools = [{ name: 'camera', description: 'Takes photos.', inputSchema: nested(200) }]
  const start = () => runtime.run('a', 'go', { clientTools, acceptClientTools: true })
  expect(start).toThrow(/clientTools: .*levels deep/)
})
