import { ParleyError } from '@parley/core'

/** Creates the error for compacting a session of an agent whose `context` is `none`. */
export function noPolicyError(agent: string): ParleyError {
  const detail = "is 'none': there is no policy that could compact its sessions"
  return new ParleyError({ code: 'config-invalid', path: `agents.${agent}.context`, detail })
}
