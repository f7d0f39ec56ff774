import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { describe, expect, inject, it } from 'vitest'
import { openSchema } from './__fixtures__/open-schema.ts'
import { openPostgresStore } from './open-postgres-store.ts'

describe('quotas in PostgreSQL', () => {
  it('runtimes with connections of their own begin exactly maxRuns runs together, and count each usage once', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    await using one = await openPostgresStore({ url: place.url, schema: place.schema, connections: 4 })
    await using two = await openPostgresStore({ url: place.url, schema: place.schema, connections: 4 })
    const quota = { maxRuns: 15, maxTokens: 10_000 }
    const usage = { input: 4, output: 3 }
    const results = [one, two].flatMap(store => {
      const model = scriptedModel(() => ({ text: 'ok', usage }))
      const agents = [defineAgent({ name: 'a', model, quota: { maxTokens: 10_000 } })]
      const runtime = createRuntime({ store, agents, quota })
      return Array.from({ length: 12 }, () => runtime.run('a', 'go').result)
    })
    const statuses = (await Promise.all(results)).map(({ status }) => status)
    expect(statuses.filter(status => status === 'completed')).toHaveLength(15)
    expect(statuses.filter(status => status === 'failed')).toHaveLength(9)
    const key = { scope: 'default', owner: 'runtime', since: 0, until: Number.MAX_SAFE_INTEGER }
    expect(await one.quotas?.totals([key, { ...key, owner: 'agents.a' }])).toEqual([
      { runs: 15, tokens: 105, cost: 0 },
      { runs: 15, tokens: 105, cost: 0 },
    ])
    expect(await two.runs({ scope: 'default' })).toHaveLength(15)
  })
})
