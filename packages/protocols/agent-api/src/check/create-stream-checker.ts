import { checkOptions, type OptionKinds } from '@parley/core'
import { readContent, readMessage, readResponse } from '../stream/read-value.ts'
import type { StreamObserver } from '../stream/read-agent-stream.ts'
import type { AgentEvent } from '../schema/agent-event.ts'
import type { JsonObject } from '../schema/json-object.ts'
import { CallCheck } from './call-check.ts'
import { schemaOfEvent } from './schema-of-event.ts'
import { MessageCheck } from './message-check.ts'
import { brief, type Report } from './part-check.ts'
import { ResponseCheck } from './response-check.ts'
import type { Violation } from './violation.ts'

/** Options of `createStreamChecker` and `checkAgentEvents`. */
export interface StreamCheckerOptions {
  /** Whether events must be numbered. Events of another builder may not be numbered yet. @default true */
  readonly numbered?: boolean | undefined
}

/** Checks a stream against the rules of the protocol. */
export interface StreamChecker extends StreamObserver {
  /** All violations so far. Missing events are found at the end only. */
  readonly violations: readonly Violation[]
}

const OPTIONS: OptionKinds<StreamCheckerOptions> = {
  numbered: 'boolean',
}

/** Creates a stream checker. Pass it to `readAgentStream` as `observer`, or call it with each event. */
export function createStreamChecker(options: StreamCheckerOptions = {}): StreamChecker {
  checkOptions('createStreamChecker', options, OPTIONS)
  const { numbered = true } = options
  const violations: Violation[] = []
  const calls = new CallCheck()
  const messages = new Map<string, MessageCheck>()
  const response = new ResponseCheck()
  let count = 0

  const report: Report = (code, detail) => void violations.push({ code, at: count, detail })

  function checkNumber(number: unknown): void {
    if (numbered && number !== count) report('numbering', `event ${count} has number ${brief(number)}`)
  }

  function checkPlace(event: Readonly<JsonObject>): void {
    const { object, status } = event
    const opens = object === 'response' && (status === 'created' || status === 'queued')
    if (count === 0 && !opens) report('opening', `the first event is ${brief(object)}, ${brief(status)}`)
    if (object === 'response') return
    if (response.ended) report('terminal', `${brief(object)} follows the terminal event`)
    else if (!response.isWorking)
      report('opening', `${brief(object)} comes while the response is ${response.status ?? 'unknown'}`)
  }

  function follow(event: Readonly<JsonObject>): void {
    if (event['object'] === 'response') response.add(readResponse(event), messages, report)
    else if (event['object'] === 'message') {
      const message = readMessage(event)
      const known = messages.get(message.id) ?? new MessageCheck(message, calls)
      messages.set(message.id, known)
      known.addMessage(message, report)
    } else {
      const content = readContent(event)
      const message = messages.get(content?.msg_id ?? '')
      if (message === undefined)
        report('content-address', `content for ${brief(event['msg_id'])}, which was not announced`)
      else if (content !== undefined) message.addContent(content, report)
    }
  }

  return {
    violations,
    fault({ code, line, detail }) {
      violations.push({ code: 'wire', at: line, detail: `${code}: ${detail}` })
    },
    event(event) {
      const schema = schemaOfEvent(event)
      if (schema === undefined) report('event-shape', `not an event of the protocol: ${brief(event)}`)
      else {
        const { success, error } = schema.safeParse(event)
        const issue = error?.issues[0]
        if (!success) report('event-shape', `${issue?.path.join('.')}: ${issue?.message}: ${brief(event)}`)
        checkNumber(event['sequence_number'])
        checkPlace(event)
        follow(event)
      }
      count++
    },
    end() {
      if (!response.ended) report('terminal', `the stream ends while the response is ${response.status ?? 'unknown'}`)
    },
  }
}

/** Finds the violations of a whole stream. */
export function checkAgentEvents(
  events: Iterable<AgentEvent>,
  options: StreamCheckerOptions = {},
): readonly Violation[] {
  const checker = createStreamChecker(options)
  for (const event of events) checker.event(event)
  checker.end()
  return checker.violations
}
