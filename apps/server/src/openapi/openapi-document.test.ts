import { createMemoryStore } from '@parley/memory-store'
import { describe, expect, it } from 'vitest'
import { createTestApp } from '../__fixtures__/open-test-server.ts'
import { OPERATIONS, RUNS_OPERATIONS } from './operations.ts'

describe('the OpenAPI document', () => {
  it('the OpenAPI document lists only addresses that the server has, and its schemas', async () => {
    const { send } = createTestApp({ store: createMemoryStore() })
    const document = (await (await send('/openapi.json')).json()) as {
      openapi: string
      components: { schemas: object }
    }
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.components.schemas)).toEqual(['AgentRequest', 'AgentResponse', 'Decision', 'Problem'])
    for (const { method, path } of [...OPERATIONS, ...RUNS_OPERATIONS]) {
      const init = method === 'post' ? { method: 'POST', body: '' } : { method: method.toUpperCase() }
      const response = await send(path.replaceAll(/\{\w+\}/g, 'none'), init)
      expect(await response.text()).not.toContain('Unknown address')
    }
  })
})
