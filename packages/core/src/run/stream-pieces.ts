import type { RunEventType } from './run-event.ts'

/**
 * Types of the events that carry a piece of an answer, or progress of a tool call. The journal entry that follows
 * contains the whole answer or result. A run may have thousands of these events. A subscriber of an event bus receives
 * them only if its filter names them.
 */
export const STREAM_PIECES: readonly RunEventType[] = [
  'text.delta',
  'reasoning.delta',
  'tool-call.start',
  'tool-call.delta',
  'tool.progress',
  'model.usage',
]
