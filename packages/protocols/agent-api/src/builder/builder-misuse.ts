import { ParleyError } from '@parley/core'

/** Makes the error for a call that does not fit what the builder has sent so far. */
export function builderMisuse(path: string, detail: string): ParleyError {
  return new ParleyError({ code: 'config-invalid', path, detail })
}
