import { isEndStatus } from '../protocol/end-status.ts'
import { sameValue } from '../protocol/same-value.ts'
import type { AgentMessage } from '../schema/agent-message.ts'
import type { AgentResponse } from '../schema/agent-response.ts'
import type { AgentStatus } from '../schema/event-fields.ts'
import type { MessageCheck } from './message-check.ts'
import { brief, type Report } from './part-check.ts'
import { withoutNumbers } from './without-numbers.ts'

const UNCOMPLETED: readonly AgentStatus[] = ['failed', 'canceled', 'rejected', 'incomplete']
const NEXT: Partial<Record<AgentStatus, readonly AgentStatus[]>> = {
  created: ['queued', 'in_progress', ...UNCOMPLETED],
  queued: ['in_progress', ...UNCOMPLETED],
  in_progress: ['in_progress', 'completed', ...UNCOMPLETED],
}

/** Checks the events of the response itself. */
export class ResponseCheck {
  #first: AgentResponse | undefined
  status: AgentStatus | undefined
  ended = false

  get isWorking(): boolean {
    return this.status === 'in_progress' || this.ended
  }

  add(response: AgentResponse, messages: ReadonlyMap<string, MessageCheck>, report: Report): void {
    if (this.ended) report('terminal', 'a response event follows the terminal event')
    else if (this.status !== undefined && NEXT[this.status]?.includes(response.status) !== true)
      report('transition', `the response was ${this.status} and is ${response.status}`)
    this.#compareFacts(response, report)
    this.status = response.status
    if (this.ended || !isEndStatus(response.status)) return
    this.ended = true
    this.#checkTime(response, report)
    this.#checkOutput(response, messages, report)
  }

  #compareFacts(response: AgentResponse, report: Report): void {
    this.#first ??= response
    for (const field of ['id', 'created_at', 'session_id'] as const) {
      const [before, now] = [this.#first[field], response[field]]
      if (before !== now) report('identity', `${field} was ${brief(before)} and is ${brief(now)}`)
    }
  }

  #checkTime({ status, created_at: from, completed_at: to }: AgentResponse, report: Report): void {
    if (to === null ? status === 'completed' : to < from)
      report('response-end', `it was created at ${from} and completed at ${to}`)
  }

  #checkOutput({ status, output }: AgentResponse, messages: ReadonlyMap<string, MessageCheck>, report: Report): void {
    const listed = output ?? []
    const ids = listed.map(({ id }) => id)
    if (new Set(ids).size < ids.length) report('output', `it repeats a message: ${ids.join(', ')}`)
    for (const message of listed) checkListed(message, messages.get(message.id), report)
    const visible = [...messages.values()].filter(message => !message.isHeartbeat)
    const cutShort = status !== 'completed' && listed.length === 0
    if (cutShort && visible.some(message => message.hasContent)) report('output', 'what was produced is not in it')
    for (const { id, last } of visible)
      if (!cutShort && last.status === 'completed' && !ids.includes(id)) report('output', `it lacks ${id}`)
    for (const { id, ended, last } of visible)
      if (!ended) report('left-open', `the response ends while ${id} is ${last.status}`)
    checkOrder(ids, messages, report)
  }
}

function checkListed(message: AgentMessage, streamed: MessageCheck | undefined, report: Report): void {
  if (streamed === undefined) return report('output', `it has ${message.id}, which was never streamed`)
  if (streamed.isHeartbeat) return report('output', `the heartbeat ${message.id} is in it`)
  if (streamed.ended && !sameValue(withoutNumbers(message), withoutNumbers(streamed.last)))
    report('output', `${message.id} was streamed as ${brief(streamed.last)} and is ${brief(message)}`)
  const { sequence_number: number } = message
  if (number !== null && number !== streamed.last.sequence_number)
    report('numbering', `${message.id} in the output says it was event ${number}`)
}

/** Checks the order of the messages in the output: the order in which they were announced, or in which they ended. */
function checkOrder(ids: readonly string[], messages: ReadonlyMap<string, MessageCheck>, report: Report): void {
  const known = ids.filter(id => messages.has(id))
  const announced = [...messages.keys()].filter(id => ids.includes(id))
  const byEnd = announced.toSorted((a, b) => endOf(messages.get(a)) - endOf(messages.get(b)))
  if (!sameValue(known, announced) && !sameValue(known, byEnd))
    report('output', `its order is neither that of announcements nor that of ends: ${known.join(', ')}`)
}

function endOf(message: MessageCheck | undefined): number {
  return message?.last.sequence_number ?? Number.POSITIVE_INFINITY
}
