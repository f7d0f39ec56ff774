import { describe, expect, it } from 'vitest'
import { ParleyError } from '../errors/parley-error.ts'
import { hostileCases } from './__fixtures__/hostile-schemas.ts'
import { compileSchema } from './compile-schema.ts'
import type { JsonSchemaObject } from './standard-schema.ts'

/** How often the reference work may fit into a call: half a second to a second. Unbounded work takes minutes. */
const MOST = 10

/** Milliseconds that this thread has computed. Other processes do not count. */
function cpuTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Computing time of a fixed work, about 100 ms, which shows how fast this machine is. */
function referenceMs(): number {
  const value = Array.from({ length: 1_000 }, (_, index) => ({ index, text: `item ${index}` }))
  const start = cpuTime()
  for (let round = 0; round < 200; round++) JSON.parse(JSON.stringify(value))
  return cpuTime() - start
}

describe('schemas that demand too much work', () => {
  const mostMs = MOST * referenceMs()

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
    expect(cpuTime() - began).toBeLessThan(mostMs)
    for (let round = 0; round < 2; round++) {
      const start = cpuTime()
      const result = compiled?.(value)
      expect(result).not.toBeInstanceOf(Promise)
      expect(cpuTime() - start).toBeLessThan(mostMs)
    }
  })
})
