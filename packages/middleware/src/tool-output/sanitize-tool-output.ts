import { checkOptions, defineMiddleware, ParleyError, type Middleware, type OptionKinds } from '@parley/core'
import { mapOutcome } from '../outcome/map-outcome.ts'
import { refuse } from '../outcome/refuse.ts'
import { INJECTION_PATTERNS } from './injection-patterns.ts'
import { stripInvisible } from './strip-invisible.ts'

export interface SanitizeToolOutputOptions {
  /** Patterns to search for. @default INJECTION_PATTERNS */
  readonly patterns?: readonly RegExp[] | undefined
  /** `replace` replaces each match with `replacement`. `block` replaces a result that has a match with an error. @default 'replace' */
  readonly action?: 'replace' | 'block' | undefined
  /** Text that replaces a match. @default '[removed]' */
  readonly replacement?: string | undefined
  /** Tools whose results are trusted and not changed. @default none */
  readonly trusted?: readonly string[] | undefined
  /** Called for each result with a match. @default none */
  readonly onFinding?: ((finding: SanitizeFinding) => void) | undefined
}

/** A tool result in which patterns matched. */
export interface SanitizeFinding {
  /** Name of the tool. */
  readonly tool: string
  readonly callId: string
  /** Number of matches. */
  readonly matches: number
}

const OPTIONS: OptionKinds<SanitizeToolOutputOptions> = {
  patterns: 'list',
  action: ['replace', 'block'],
  replacement: 'string',
  trusted: 'strings',
  onFinding: 'function',
}

/**
 * Cleans tool results before a model reads them: text, data with its keys, and errors. First it always removes characters
 * that people do not see but a model reads: zero-width characters, direction marks, tag characters and terminal codes.
 * @throws ParleyError `config-invalid` if an option is unknown or a pattern is not a regular expression.
 */
export function sanitizeToolOutput(options: SanitizeToolOutputOptions = {}): Middleware {
  checkOptions('sanitizeToolOutput', options, OPTIONS)
  const { patterns = INJECTION_PATTERNS, action = 'replace', replacement = '[removed]' } = options
  const { trusted = [], onFinding } = options
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
