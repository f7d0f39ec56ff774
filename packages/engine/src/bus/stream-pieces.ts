import type { RunEventType } from '@parley/core'

/** Events that are pieces of something whose whole is an entry. There may be thousands in one run. */
export const STREAM_PIECES: readonly RunEventType[] = [
  'text.delta',
  'reasoning.delta',
  'tool-call.start',
  'tool-call.delta',
  'tool.progress',
  'model.usage',
]
