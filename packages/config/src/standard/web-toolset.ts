import * as z from 'zod'
import type { ToolsetType } from '../compose/part-type.ts'
import { count, lasting, words } from '../schema/scalars.ts'
import { loadPackage } from './load-package.ts'
import { part } from './part.ts'

const engine = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('searxng'), baseUrl: words }),
  z.strictObject({ type: z.literal('brave'), apiKey: words, baseUrl: words.optional() }),
  z.strictObject({ type: z.literal('tavily'), apiKey: words, baseUrl: words.optional() }),
])

const texts = z.array(words).optional()

/** Tools that fetch pages. `allow` and `deny` are those of `createNetworkGuard`. */
export const webToolset: ToolsetType = part(
  z.strictObject({
    allow: texts,
    deny: texts,
    engine: engine.optional(),
    timeoutMs: lasting.optional(),
    maxBytes: count.optional(),
    userAgent: words.optional(),
  }),
  async ({ allow, deny, engine: wanted, ...options }) => {
    const [web, { createNetworkGuard }] = await loadPackage('@parley/tools', () =>
      Promise.all([import('@parley/tools/web'), import('@parley/tools/network')]),
    )
    const engineOf = () => {
      switch (wanted?.type) {
        case 'searxng':
          return web.createSearxngEngine(optionsOf(wanted))
        case 'brave':
          return web.createBraveEngine(optionsOf(wanted))
        case 'tavily':
          return web.createTavilyEngine(optionsOf(wanted))
        case undefined:
          return undefined
      }
    }
    return web.createWebTools({ ...options, guard: createNetworkGuard({ allow, deny }), engine: engineOf() })
  },
)

/** The options of an engine, without the type that chooses it. */
function optionsOf<TEngine extends { readonly type: string }>(engine: TEngine): Omit<TEngine, 'type'> {
  const { type: _, ...options } = engine
  return options
}
