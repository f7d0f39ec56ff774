import { isEndStatus } from '../protocol/end-status.ts'
import { hasValue } from '../protocol/content-value.ts'
import { roleOfType } from '../protocol/message-kind.ts'
import { sameValue } from '../protocol/same-value.ts'
import type { AgentContent } from '../schema/agent-content.ts'
import type { AgentMessage } from '../schema/agent-message.ts'
import type { CallCheck } from './call-check.ts'
import { brief, PartCheck, type Report } from './part-check.ts'
import { withoutNumbers } from './without-numbers.ts'

/** Checks the events of one message. */
export class MessageCheck {
  readonly id: string
  readonly #calls: CallCheck
  readonly #first: AgentMessage
  readonly #parts: PartCheck[] = []
  last: AgentMessage
  ended = false

  constructor(message: AgentMessage, calls: CallCheck) {
    this.id = message.id
    this.#first = message
    this.#calls = calls
    this.last = message
  }

  get isHeartbeat(): boolean {
    return this.#first.type === 'heartbeat'
  }

  /** Whether the message must be in the output of a response that did not complete. */
  get hasContent(): boolean {
    return !this.isHeartbeat && (this.#parts.length > 0 || this.ended)
  }

  addMessage(message: AgentMessage, report: Report): void {
    const { id, type, role, status } = message
    if (this.ended) return report('transition', `${id} had ended as ${this.last.status} and is ${status}`)
    if (type !== this.#first.type || role !== this.#first.role)
      report('identity', `${id} was ${this.#first.type} by ${this.#first.role} and is ${type} by ${role}`)
    if (status === 'created' && this.last.status === 'in_progress')
      report('transition', `${id} was in_progress and is created`)
    this.last = message
    if (this.isHeartbeat) {
      if ((message.content ?? []).length > 0) report('message', `the heartbeat ${id} has content`)
    } else this.#checkFacts(message, report)
    if (isEndStatus(status)) this.#end(message, report)
    else if ((message.content ?? []).length > 0) report('message', `${id} is announced with content`)
  }

  addContent(content: AgentContent, report: Report): void {
    if (this.ended) return report('content-address', `${this.id} had ended as ${this.last.status}`)
    if (this.isHeartbeat) return report('message', `the heartbeat ${this.id} has content`)
    const { index } = content
    let part = index === null ? undefined : this.#parts[index]
    if (part === undefined) {
      const next = this.#parts.length
      if (index !== next) report('content-address', `a new part of ${this.id} has index ${index} instead of ${next}`)
      part = new PartCheck(content, next)
      this.#parts.push(part)
    }
    part.add(content, report)
    if (content.status === 'completed') this.#calls.check(this.#first.type, content, report)
  }

  #checkFacts({ id, type, role, status, code, message, error }: AgentMessage, report: Report): void {
    const fitting = roleOfType(type)
    if (fitting !== undefined && role !== fitting) report('message', `${id} of type ${type} has role ${role}`)
    if (type === 'error' && (code === null || message === null))
      report('message', `the error ${id} has no code and message`)
    if (status === 'failed' && error === null) report('message', `${id} failed without an error`)
  }

  #end(message: AgentMessage, report: Report): void {
    this.ended = true
    if (this.isHeartbeat) return
    const isCompleted = message.status === 'completed'
    const content = message.content ?? []
    for (const part of this.#parts)
      if (isCompleted && part.ended === undefined) report('left-open', `part ${part.index} of ${this.id} never ended`)
    if (this.#parts.length > 0 && (isCompleted || content.length > 0)) this.#compare(content, report)
    for (const [index, part] of content.entries()) {
      if (part.index !== index || part.msg_id !== this.id)
        report('message', `part ${index} of ${this.id} says it is ${part.index} of ${part.msg_id}`)
      if (isCompleted && !hasValue(part.type, part)) report('content-value', `part ${index} of ${this.id} has no value`)
      if (isCompleted && this.#parts.length === 0) this.#calls.check(this.#first.type, part, report)
    }
  }

  #compare(content: readonly AgentContent[], report: Report): void {
    const streamed = this.#parts.flatMap(({ ended }) => ended ?? [])
    for (const [index, part] of streamed.entries()) {
      const have = content[index]
      if (have === undefined || !sameValue(withoutNumbers(part), withoutNumbers(have)))
        report('message', `part ${index} of ${this.id} was streamed as ${brief(part)} and is ${brief(have)}`)
      else if (have.sequence_number !== null && have.sequence_number !== part.sequence_number)
        report('numbering', `part ${index} of ${this.id} says it was event ${have.sequence_number}`)
    }
    if (content.length > this.#parts.length) report('message', `${this.id} has parts that were not streamed`)
  }
}
