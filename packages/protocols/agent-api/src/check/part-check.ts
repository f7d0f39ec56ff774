import { hasValue, valueOf, wholeValue } from '../protocol/content-value.ts'
import { isEndStatus } from '../protocol/end-status.ts'
import { mergeData } from '../protocol/merge-data.ts'
import { sameValue } from '../protocol/same-value.ts'
import type { AgentContent } from '../schema/agent-content.ts'
import type { ViolationCode } from './violation.ts'

export type Report = (code: ViolationCode, detail: string) => void

/** Checks the events of one part of a message. */
export class PartCheck {
  readonly index: number
  readonly type: AgentContent['type']
  ended: AgentContent | undefined
  #value: Record<string, unknown> = {}
  #events = 0
  #deltas = 0
  #deltasSinceSnapshot = 0

  constructor({ type }: AgentContent, index: number) {
    this.type = type
    this.index = index
  }

  add(content: AgentContent, report: Report): void {
    if (content.type !== this.type)
      return report('identity', `part ${this.index} was ${this.type} and is ${content.type}`)
    if (this.ended !== undefined) return report('content-address', `part ${this.index} had ended`)
    if (isEndStatus(content.status)) this.#end(content, report)
    else if (content.delta === true) this.#delta(content, report)
    else {
      this.#value = valueOf(content)
      this.#deltasSinceSnapshot = 0
    }
    this.#events++
  }

  #delta(content: AgentContent, report: Report): void {
    if (!hasValue(content.type, content)) report('content-value', `a delta of part ${this.index} has no value`)
    this.#deltas++
    this.#deltasSinceSnapshot++
    const value = valueOf(content)
    if (content.type === 'text')
      this.#value['text'] = ((this.#value['text'] as string | null) ?? '') + (content.text ?? '')
    else if (content.type === 'data')
      this.#value['data'] = mergeData(
        (this.#value['data'] as Record<string, unknown> | null) ?? null,
        content.data ?? {},
      )
    else for (const [name, field] of Object.entries(value)) if (field !== null) this.#value[name] = field
  }

  #end(content: AgentContent, report: Report): void {
    this.ended = content
    const isWhole = hasValue(content.type, content)
    if (content.status === 'completed' && !isWhole)
      report('content-value', `part ${this.index} completed without a value`)
    if (this.#events === 0 || (content.status !== 'completed' && !isWhole)) return
    if (content.type !== 'text' && content.type !== 'data' && this.#deltas > 1)
      report('content-value', `a ${content.type} came in ${this.#deltas} deltas, which clients do not join`)
    // After a snapshot, data may end with any value.
    if (content.type === 'data' && this.#deltasSinceSnapshot === 0) return
    const streamed = wholeValue(content.type, this.#value)
    if (!sameText(streamed, valueOf(content)))
      report('content-value', `part ${this.index} adds up to ${brief(streamed)} and ends as ${brief(valueOf(content))}`)
  }
}

/** Compares two values. An absent text equals an empty text. */
function sameText(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  if ('text' in a) return (a['text'] ?? '') === (b['text'] ?? '')
  return sameValue(a, b)
}

/** Shortens a value for an error message. */
export function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}
