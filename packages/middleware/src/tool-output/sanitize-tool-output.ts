import { defineMiddleware, ParleyError, type Middleware } from '@parley/core'
import { checkFields } from '../options/check-fields.ts'
import { mapOutcome } from '../outcome/map-outcome.ts'
import { refuse } from '../outcome/refuse.ts'
import { INJECTION_PATTERNS } from './injection-patterns.ts'
import { stripInvisible } from './strip-invisible.ts'

export interface SanitizeToolOutputOptions {
  /** What to look for. @default INJECTION_PATTERNS */
  readonly patterns?: readonly RegExp[] | undefined
  /** `replace` puts `replacement` in place of what matches; `block` gives the model an error in place of a result that has any. @default 'replace' */
  readonly action?: 'replace' | 'block' | undefined
  /** @default '[removed]' */
  readonly replacement?: string | undefined
  /** Tools whose results stay as they are. @default none */
  readonly trusted?: readonly string[] | undefined
  readonly onFinding?: ((finding: SanitizeFinding) => void) | undefined
}

export interface SanitizeFinding {
  readonly tool: string
  readonly callId: string
  /** How often something matched. */
  readonly matches: number
}

/**
 * Cleans what tools give before a model reads it: text, data with its keys, and errors. Characters that only a model sees
 * (zero-width, direction marks, tag characters, terminal codes) are always taken out, first.
 * @throws ParleyError `config-invalid`.
 */
export function sanitizeToolOutput(options: SanitizeToolOutputOptions = {}): Middleware {
  const { patterns = INJECTION_PATTERNS, action = 'replace', replacement = '[removed]' } = options
  const { trusted = [], onFinding } = options
  checkFields('sanitizeToolOutput', options, ['patterns', 'action', 'replacement', 'trusted', 'onFinding'])
  const searches = patterns.map(toGlobal)

  return defineMiddleware('sanitize-tool-output', () => ({
    async tool(call, next) {
      const outcome = await next(call)
      const { tool, callId } = call
      if (trusted.includes(tool.name)) return outcome
      let matches = 0
      const clean = mapOutcome(outcome, text => {
        let result = stripInvisible(text)
        for (const search of searches) {
          search.lastIndex = 0
          if (!search.test(result)) continue
          result = result.replace(search, () => {
            matches += 1
            return replacement
          })
        }
        return result
      })
      if (matches === 0) return clean
      onFinding?.({ tool: tool.name, callId, matches })
      if (action === 'replace') return clean
      const detail = 'its result holds instructions that are not from the user, and was withheld.'
      return refuse({ code: 'tool-failed', tool: tool.name, detail })
    },
  }))
}

function toGlobal(pattern: RegExp): RegExp {
  if (pattern instanceof RegExp) return new RegExp(pattern.source, [...new Set(`${pattern.flags}g`)].join(''))
  throw new ParleyError({
    code: 'config-invalid',
    path: 'sanitizeToolOutput.patterns',
    detail: `must be regular expressions, not ${JSON.stringify(pattern)}`,
  })
}
