import { resolve } from 'node:path'
import * as z from 'zod'
import type { MiddlewareType } from '../compose/part-type.ts'
import { count, words } from '../schema/scalars.ts'
import { part } from './part.ts'

/** Keeps large results in memory, or in files below `directory`. Brings the tool `read_artifact`. */
export const offloadType: MiddlewareType = part(
  z.strictObject({
    directory: words.optional(),
    maxCharacters: count.optional(),
    previewCharacters: z.int().min(0).optional(),
    ignore: z.array(words).optional(),
  }),
  async ({ directory, ...options }, { folder = '.' }) => {
    const { createOffload } = await import('@parley/middleware/offload')
    const store = directory === undefined ? undefined : await fileArtifacts(resolve(folder, directory))
    const { middleware, tool } = createOffload({ ...options, store })
    return { middleware, tools: [tool] }
  },
)

async function fileArtifacts(directory: string) {
  const { createFileArtifacts } = await import('@parley/middleware/node')
  return createFileArtifacts({ directory })
}
