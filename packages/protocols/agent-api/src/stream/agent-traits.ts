import { encodeSseFrame, type Frame } from '@parley/encoders/kit'
import { isEndStatus } from '../protocol/end-status.ts'
import type { AgentEvent } from '../schema/agent-event.ts'
import type { EventTraits } from './log-window.ts'

/** Encodes an event as `encodeSse` does, but a large one only when it is read. */
export function encodeFrame(event: AgentEvent): Frame {
  return encodeSseFrame(event, { id: event.sequence_number })
}

/**
 * Tells an event log which events of the Agent API need less memory: text deltas, and events whose content the last
 * event repeats.
 */
export const agentTraits: EventTraits<AgentEvent> = {
  textOf(event) {
    if (event.object !== 'content' || event.type !== 'text' || typeof event.text !== 'string') return undefined
    const id = `${event.msg_id}.${event.index}`
    if (event.delta) return { id, text: event.text, isWhole: false }
    return isEndStatus(event.status) ? { id, text: event.text, isWhole: true } : undefined
  },
  withText: (delta, number, text) => ({ ...delta, sequence_number: number, text }) as AgentEvent,
  isRepeated: event => isEndStatus(event.status),
}
