import { ParleyError, type Middleware } from '@parley/core'
import * as z from 'zod'
import type { MiddlewareType } from '../compose/part-type.ts'
import { words } from '../schema/scalars.ts'
import { loadModule } from './load-module.ts'
import { part } from './part.ts'

/** A middleware that a module exports: the one of that name, or the default one. */
export const moduleType: MiddlewareType = part(
  z.strictObject({ module: words, export: words.optional() }),
  async ({ module, export: name = 'default' }, context) => {
    const { [name]: found } = await loadModule(module, context)
    if (isMiddleware(found)) return found
    const detail = `names '${module}', whose export '${name}' must be a middleware: an object with name and begin`
    throw new ParleyError({ code: 'config-invalid', path: 'module', detail })
  },
)

function isMiddleware(value: unknown): value is Middleware {
  return typeof value === 'object' && value !== null && 'begin' in value && typeof value.begin === 'function'
}
