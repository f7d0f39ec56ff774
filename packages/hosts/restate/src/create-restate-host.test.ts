import { createMemoryStore } from '@parley/memory-store'
import { describe, expect, it } from 'vitest'
import { createRestateClient } from './create-restate-client.ts'
import { createRestateHost } from './create-restate-host.ts'

describe('a Restate host', () => {
  it('refuses times that make no sense', () => {
    const store = createMemoryStore()
    expect(() => createRestateHost({ store, maxStepMs: -1 })).toThrow('maxStepMs')
    expect(() => createRestateHost({ store, retentionMs: 0.5 })).toThrow('retentionMs')
  })

  it('serves where it is told to, says when it cannot, and is gone when it is closed', async () => {
    await using host = createRestateHost({ store: createMemoryStore() })
    const { port } = await host.listen({ port: 0 })
    await expect(host.listen({ port })).rejects.toMatchObject({ info: { code: 'config-invalid', path: 'listen' } })
    await Promise.all([host.close(), host.close()])
    await expect(host.listen({ port: 0 })).rejects.toMatchObject({ info: { code: 'runtime-closed' } })
    await using next = createRestateHost({ store: createMemoryStore() })
    expect((await next.listen({ port })).port).toBe(port)
  })
})

it('a client says which Restate it cannot reach', async () => {
  const client = createRestateClient({ ingress: 'http://127.0.0.1:9/', store: createMemoryStore(), waitMs: 0 })
  const refusal = { info: { code: 'request-invalid', path: 'http://127.0.0.1:9/' } }
  await expect(client.start('a', 'go')).rejects.toMatchObject(refusal)
})
