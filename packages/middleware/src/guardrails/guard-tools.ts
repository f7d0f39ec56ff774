import { defineMiddleware, type Middleware } from '@parley/core'
import { refuse } from '../outcome/refuse.ts'
import { askGuard, type Guard } from './guard.ts'

/**
 * Passes each tool call to the guards, in order, before it is validated. Each guard sees the input that the guard before it
 * left. The first guard that blocks refuses the call, and the model reads the reason.
 */
export function guardTools(...guards: readonly Guard[]): Middleware {
  return defineMiddleware('guard-tools', run => ({
    async tool(call, next) {
      const { name } = call.tool
      let { input } = call
      for (const guard of guards) {
        const subject = { kind: 'tool', run, signal: call.signal, tool: { name, input } } as const
        const verdict = await askGuard(guard, JSON.stringify({ name, input }), subject)
        if (verdict === 'pass') continue
        if (verdict.type === 'block') {
          return refuse({ code: 'tool-denied', tool: name, reason: `${guard.name}: ${verdict.reason}` })
        }
        if ('input' in verdict) input = verdict.input
      }
      return next(input === call.input ? call : { ...call, input })
    },
  }))
}
