import { builderMisuse } from './builder-misuse.ts'
import { isCallType, isOutputType } from '../protocol/message-kind.ts'

/** Remembers the calls of a response, and refuses tool data that would confuse a client. */
export class CallLedger {
  readonly #callIds = new Set<string>()

  /** @throws ParleyError `config-invalid` for data that does not fit, a call id used before, or an output without a call. */
  check(messageType: string, data: Readonly<Record<string, unknown>>, path: string): void {
    const isCall = isCallType(messageType)
    if (!isCall && !isOutputType(messageType)) return
    const needed = isCall ? ['call_id', 'name', 'arguments'] : ['call_id', 'output']
    for (const field of needed) {
      if (typeof data[field] !== 'string')
        throw builderMisuse(`${path}.data.${field}`, `must be a text in ${messageType}`)
    }
    const callId = data['call_id'] as string
    if (isCall && this.#callIds.has(callId))
      throw builderMisuse(`${path}.data.call_id`, `'${callId}' was called before`)
    if (!isCall && !this.#callIds.has(callId))
      throw builderMisuse(`${path}.data.call_id`, `'${callId}' was never called`)
    this.#callIds.add(callId)
  }
}
