import type { RunEventType } from './run-event.ts'

/**
 * Types of the events that carry a piece of an answer, or progress of a tool call. The journal entry that follows holds
 * the whole. One run may have thousands of them, so a subscriber of an event bus gets them only if its filter names them.
 */
export const STREAM_PIECES: readonly RunEventType[] = [
  'text.delta',
  'reasoning.delta',
  'tool-call.start',
  'tool-call.delta',
  'tool.progress',
  'model.usage',
]
