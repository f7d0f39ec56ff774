import * as z from 'zod'
import type { MiddlewareType } from '../compose/part-type.ts'
import { words } from '../schema/scalars.ts'
import { loadModule } from './load-module.ts'
import { part } from './part.ts'

/** Hooks: the functions that a module exports by the names of `@parley/middleware/hooks`. */
export const hooksType: MiddlewareType = part(z.strictObject({ module: words }), async ({ module }, context) => {
  const { hooks } = await import('@parley/middleware/hooks')
  const { default: all, ...exported } = await loadModule(module, context)
  return hooks({ ...exported, ...(typeof all === 'object' ? all : {}) })
})
