import { checkNumber, checkOptions, defineMiddleware, toolError, type Middleware, type OptionKinds } from '@parley/core'

export interface OwnPartOptions {
  /** Largest number of tool calls of a run. @default 100 */
  readonly maxCalls?: number | undefined
}

const OPTIONS: OptionKinds<OwnPartOptions> = { maxCalls: 'number' }

/**
 * Answers the tool calls of a run with an error once it has made `maxCalls`.
 * @throws ParleyError `config-invalid` if an option is unknown or a value is invalid.
 */
export function ownPart(options: OwnPartOptions = {}): Middleware {
  checkOptions('ownPart', options, OPTIONS)
  const { maxCalls = 100 } = options
  checkNumber({ path: 'ownPart.maxCalls', value: maxCalls, whole: true })
  return defineMiddleware('own-part', () => {
    // The state belongs to one run.
    let calls = 0
    return {
      async tool(call, next) {
        calls += 1
        return calls > maxCalls ? toolError(`The run has made its ${maxCalls} tool calls.`) : next(call)
      },
    }
  })
}
