import { isCallType, isOutputType } from '../protocol/message-kind.ts'
import type { AgentContent } from '../schema/agent-content.ts'
import { toolPayloadSchemas } from '../schema/tool-payload.ts'
import { brief, type Report } from './part-check.ts'

/** Checks the data of tool messages: its shape, and that outputs belong to calls. */
export class CallCheck {
  readonly #callIds = new Set<unknown>()

  check(messageType: string, content: AgentContent, report: Report): void {
    const schema = Object.hasOwn(toolPayloadSchemas, messageType) ? toolPayloadSchemas[messageType] : undefined
    if (schema === undefined) return
    if (content.type !== 'data') return report('payload', `${messageType} must hold data, not ${content.type}`)
    const parsed = schema.safeParse(content.data)
    if (!parsed.success)
      report('payload', `${messageType}: ${parsed.error.issues[0]?.path.join('.')} is invalid: ${brief(content.data)}`)
    const callId = content.data?.['call_id']
    if (isCallType(messageType)) {
      if (this.#callIds.has(callId)) report('payload', `call id ${brief(callId)} is used twice`)
      this.#callIds.add(callId)
    } else if (isOutputType(messageType) && !this.#callIds.has(callId))
      report('payload', `an output names ${brief(callId)}, which was never called`)
  }
}
