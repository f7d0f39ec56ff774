import { canonicalJson, type Tool, type ToolCall, type ToolOutcome } from '@parley/core'

interface PastCall {
  readonly tool: Tool
  readonly input: unknown
  readonly print: number
  readonly outcome: ToolOutcome
}

/** The last calls of a run. Arguments and results are compared as text only if the fingerprints of two calls are equal. */
export class PastCalls {
  readonly #window: number
  readonly #calls: PastCall[] = []

  constructor(window: number) {
    this.#window = window
  }

  add({ tool, input }: ToolCall, print: number, outcome: ToolOutcome): void {
    this.#calls.push({ tool, input, print, outcome })
    if (this.#calls.length > this.#window) this.#calls.shift()
  }

  /**
   * Counts the earlier calls with the same input whose result equals that of the newest such call. `print` is the fingerprint
   * of its input.
   */
  repeats({ tool, input }: ToolCall, print: number): number {
    let last: string | undefined
    let count = 0
    for (let index = this.#calls.length - 1; index >= 0; index--) {
      const past = this.#calls[index]
      if (past?.print !== print || past.tool.name !== tool.name) continue
      if (canonicalJson(past.input) !== canonicalJson(input)) continue
      const result = resultOf(past.outcome)
      last ??= result
      if (result !== last) break
      count += 1
    }
    return count
  }
}

function resultOf(outcome: ToolOutcome): string {
  return outcome.type === 'ok' || outcome.type === 'error' ? canonicalJson(outcome.content) : outcome.type
}
