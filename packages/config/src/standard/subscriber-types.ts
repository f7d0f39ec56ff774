import { appendFile, mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { ParleyError } from '@parley/core'
import * as z from 'zod'
import type { SubscriberType } from '../compose/part-type.ts'
import type { EventHandler } from '../compose/config-services.ts'
import { words } from '../schema/scalars.ts'
import { loadModule } from './load-module.ts'
import { part } from './part.ts'

/** Receivers of bus events that a file can use. */
export const subscriberTypes: Readonly<Record<string, SubscriberType>> = {
  module: part(z.strictObject({ module: words, export: words.optional() }), async (options, context) => {
    const { module, export: name = 'default' } = options
    const { [name]: handler } = await loadModule(module, context)
    if (typeof handler === 'function') return handler as EventHandler
    const detail = `names '${module}', whose export '${name}' must be a function that gets each event`
    throw new ParleyError({ code: 'config-invalid', path: 'module', detail })
  }),
  file: part(z.strictObject({ path: words }), async ({ path }, { folder = '.' }) => {
    const target = resolve(folder, path)
    return async event => {
      await mkdir(dirname(target), { recursive: true })
      // One line for each event: appending it is one write.
      await appendFile(target, `${JSON.stringify(event)}\n`)
    }
  }),
}
