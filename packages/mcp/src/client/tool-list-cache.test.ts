import { expect, it } from 'vitest'
import type { McpToolListDiff } from '@parley/core'
import { createToolListCache, type ToolListCache } from './tool-list-cache.ts'
import type { McpToolInfo } from '../tools/mcp-tool-host.ts'

const tool = (name: string): McpToolInfo => ({ name, inputSchema: { type: 'object' } })
const unobserved = { onDiff: () => {} }

it('the catalog fetches again when the list expires during a fetch', async () => {
  let fetches = 0
  const catalog: ToolListCache = createToolListCache({
    ...unobserved,
    fetch: async () => {
      fetches += 1
      if (fetches === 1) catalog.expire()
      return [tool(String(fetches))]
    },
  })
  expect((await catalog.get()).map(({ name }) => name)).toEqual(['2'])
})

it('the catalog fetches at most three times when every fetch expires the list', async () => {
  let fetches = 0
  const catalog: ToolListCache = createToolListCache({
    ...unobserved,
    fetch: async () => {
      fetches += 1
      catalog.expire()
      return []
    },
  })
  await catalog.get()
  expect(fetches).toBe(3)
})

it('a failed fetch rejects all waiting readers, and the next reader fetches again', async () => {
  let fetches = 0
  const catalog = createToolListCache({
    ...unobserved,
    fetch: async () => {
      fetches += 1
      if (fetches === 1) throw new Error('no server')
      return [tool('a')]
    },
  })
  await expect(Promise.all([catalog.get(), catalog.get()])).rejects.toThrow('no server')
  expect(await catalog.get()).toHaveLength(1)
  expect(fetches).toBe(2)
})

it('renew fetches nothing before the first get', async () => {
  let fetches = 0
  const catalog = createToolListCache({ ...unobserved, fetch: async () => ((fetches += 1), []) })
  catalog.expire()
  catalog.renew()
  expect(fetches).toBe(0)
  await catalog.get()
  catalog.renew()
  expect(fetches).toBe(1)
})

it('a reader can abort while other readers keep waiting', async () => {
  const { promise, resolve } = Promise.withResolvers<readonly McpToolInfo[]>()
  const catalog = createToolListCache({ ...unobserved, fetch: () => promise })
  const controller = new AbortController()
  const [leaver, stayer] = [catalog.get(controller.signal), catalog.get()]
  controller.abort(new Error('bye'))
  await expect(leaver).rejects.toThrow('bye')
  resolve([tool('a')])
  expect(await stayer).toHaveLength(1)
})

it('onDiff reports the differences only when the list differs', async () => {
  const diffs: McpToolListDiff[] = []
  const lists = [
    [tool('kept'), tool('gone'), tool('other')],
    [tool('kept'), tool('gone'), tool('other')],
    [tool('kept'), { ...tool('other'), description: 'New.' }, tool('new')],
  ]
  const catalog = createToolListCache({ onDiff: diff => diffs.push(diff), fetch: async () => lists.shift() ?? [] })
  for (let round = 0; round < 3; round += 1) {
    await catalog.get()
    catalog.expire()
  }
  expect(diffs).toEqual([{ added: ['new'], removed: ['gone'], changed: ['other'] }])
})
