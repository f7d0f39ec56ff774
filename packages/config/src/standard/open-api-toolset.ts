import { resolve } from 'node:path'
import type { ToolSource } from '@parley/core'
import * as z from 'zod'
import type { ToolsetType } from '../compose/part-type.ts'
import { count, lasting, words } from '../schema/scalars.ts'
import { loadPackage } from './load-package.ts'
import { part } from './part.ts'

const texts = z.array(words).optional()

const auth = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('bearer'), token: words }),
  z.strictObject({ type: z.literal('api-key'), header: words, value: words }),
])

/** Tools of an HTTP API. Its document is read when a run first needs the tools. */
export const openApiToolset: ToolsetType = part(
  z.strictObject({
    document: words,
    baseUrl: words.optional(),
    auth: auth.optional(),
    headers: z.record(words, z.string()).optional(),
    filter: z.strictObject({ operationIds: texts, tags: texts, pathPrefix: words.optional() }).optional(),
    namePrefix: words.optional(),
    maxResponseBytes: count.optional(),
    timeoutMs: lasting.optional(),
    allow: texts,
    deny: texts,
  }),
  async ({ document, allow, deny, ...options }, { name, folder = '.' }) => {
    const [{ openApiTools, readOpenApi }, { createGuardedFetch, createNetworkGuard }] = await loadPackage(
      '@parley/tools',
      () => Promise.all([import('@parley/tools/openapi'), import('@parley/tools/network')]),
    )
    const fetch = createGuardedFetch({ guard: createNetworkGuard({ allow, deny }) })
    const source = /^https?:\/\//i.test(document) ? document : resolve(folder, document)
    let opening: Promise<ToolSource> | undefined
    const open = async (): Promise<ToolSource> =>
      openApiTools(await readOpenApi(source, { fetch }), { ...options, name, fetch })
    return [
      {
        name,
        async tools(given) {
          opening ??= open()
          // A failure is not kept, so that the next run tries again.
          opening.catch(() => (opening = undefined))
          return (await opening).tools(given)
        },
        async [Symbol.asyncDispose]() {},
      },
    ]
  },
)
