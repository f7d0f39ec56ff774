import { builderMisuse } from './builder-misuse.ts'
import { isCallType, isOutputType } from '../protocol/message-kind.ts'

/** Checks the tool data of a response: the fields of calls and outputs, and that each output belongs to a call. */
export class CallLedger {
  readonly #callIds = new Set<string>()

  /** Checks the data of one message. @throws ParleyError `config-invalid` if the data is invalid, a call id is used twice, or an output has no call. */
  check(messageType: string, data: Readonly<Record<string, unknown>>, path: string): void {
    const isCall = isCallType(messageType)
    if (!isCall && !isOutputType(messageType)) return
    const required = isCall ? ['call_id', 'name', 'arguments'] : ['call_id', 'output']
    for (const field of required) {
      if (typeof data[field] !== 'string')
        throw builderMisuse(`${path}.data.${field}`, `must be a string in ${messageType}`)
    }
    const callId = data['call_id'] as string
    if (isCall && this.#callIds.has(callId))
      throw builderMisuse(`${path}.data.call_id`, `'${callId}' is already the id of a call`)
    if (!isCall && !this.#callIds.has(callId))
      throw builderMisuse(`${path}.data.call_id`, `'${callId}' must be the id of an earlier call`)
    this.#callIds.add(callId)
  }
}
