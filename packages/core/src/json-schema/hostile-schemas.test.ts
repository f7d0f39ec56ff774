import { describe, expect, it } from 'vitest'
import { ParleyError } from '../errors/parley-error.ts'
import { hostileCases } from './__fixtures__/hostile-schemas.ts'
import { compileSchema } from './compile-schema.ts'
import type { JsonSchemaObject } from './standard-schema.ts'

/** Five times what a call may block the event loop, because a test machine can be slow. */
const MOST_MS = 250

/** Milliseconds that this thread has computed, and on Node.js 22, which does not know that, this process. */
function cpuTime(): number {
  const known: Partial<Pick<NodeJS.Process, 'threadCpuUsage'>> = process
  const { user, system } = known.threadCpuUsage?.() ?? process.cpuUsage()
  return (user + system) / 1_000
}

describe('schemas that demand too much work', () => {
  it('the hostile collection has at least 100 cases', () => {
    expect(hostileCases.length).toBeGreaterThanOrEqual(100)
  })

  it.each(hostileCases)('compileSchema and its validation stay bounded for $name', ({ schema, value }) => {
    const began = cpuTime()
    let compiled: ReturnType<typeof compileSchema> | undefined
    try {
      compiled = compileSchema(schema as JsonSchemaObject)
    } catch (error) {
      if (!ParleyError.is(error, 'config-invalid')) throw error
    }
    expect(cpuTime() - began).toBeLessThan(MOST_MS)
    for (let round = 0; round < 2; round++) {
      const start = cpuTime()
      const result = compiled?.(value)
      expect(result).not.toBeInstanceOf(Promise)
      expect(cpuTime() - start).toBeLessThan(MOST_MS)
    }
  })
})
