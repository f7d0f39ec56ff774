import { createMemoryStore } from '@parley/memory-store'
import { describe, expect, it } from 'vitest'
import { createRestateClient } from './create-restate-client.ts'
import { createRestateHost } from './create-restate-host.ts'

describe('createRestateHost', () => {
  it('createRestateHost rejects negative and fractional times', () => {
    const store = createMemoryStore()
    expect(() => createRestateHost({ store, maxStepMs: -1 })).toThrow('maxStepMs')
    expect(() => createRestateHost({ store, retentionMs: 0.5 })).toThrow('retentionMs')
  })

  it('the host listens on the given port, rejects a port in use, and frees the port when it closes', async () => {
    await using host = createRestateHost({ store: createMemoryStore() })
    const { port } = await host.listen({ port: 0 })
    await expect(host.listen({ port })).rejects.toMatchObject({ info: { code: 'config-invalid', path: 'listen' } })
    await Promise.all([host.close(), host.close()])
    await expect(host.listen({ port: 0 })).rejects.toMatchObject({ info: { code: 'runtime-closed' } })
    await using next = createRestateHost({ store: createMemoryStore() })
    expect((await next.listen({ port })).port).toBe(port)
  })
})

it('the client names the Restate address that it cannot reach', async () => {
  const client = createRestateClient({ ingress: 'http://127.0.0.1:9/', store: createMemoryStore(), waitMs: 0 })
  const refusal = { info: { code: 'request-invalid', path: 'http://127.0.0.1:9/' } }
  await expect(client.start('a', 'go')).rejects.toMatchObject(refusal)
})
