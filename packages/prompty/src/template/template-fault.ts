import { ParleyError } from '@parley/core'

/** The error of a template, with its line. */
export function templateFault(source: string, offset: number, detail: string): ParleyError {
  let line = 1
  for (let at = source.indexOf('\n'); at >= 0 && at < offset; at = source.indexOf('\n', at + 1)) line++
  return new ParleyError({ code: 'config-invalid', path: `template line ${line}`, detail })
}

/** How deep a template may nest blocks and brackets. */
export const DEEPEST_NESTING = 100
