import { ParleyError } from '@parley/core'

/** Creates the error for a method call that is not allowed after the events that the builder has already sent. */
export function builderMisuse(path: string, detail: string): ParleyError {
  return new ParleyError({ code: 'config-invalid', path, detail })
}
