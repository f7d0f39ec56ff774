import { ParleyError } from '@parley/core'

/** The sessions of an agent whose `context` is `none` cannot be compacted. */
export function noPolicyError(agent: string): ParleyError {
  const detail = "is 'none': there is no policy that could compact its sessions"
  return new ParleyError({ code: 'config-invalid', path: `agents.${agent}.context`, detail })
}
