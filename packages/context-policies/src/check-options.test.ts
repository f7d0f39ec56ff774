import { ParleyError } from '@parley/core'
import { expect, it } from 'vitest'
import { phiCompaction } from './phi-compaction.ts'
import { slidingWindow } from './sliding-window.ts'
import { summarize } from './summarize.ts'
import { truncateOldest } from './truncate-oldest.ts'

it.each([
  ['slidingWindow.maxMessages', () => slidingWindow({ maxMessages: 0 })],
  ['slidingWindow.maxTokens', () => slidingWindow({ maxTokens: 1.5 })],
  ['slidingWindow.beforeCompaction', () => slidingWindow({ beforeCompaction: true as never })],
  ['slidingWindow.keepSystem', () => slidingWindow({ keepSystem: true } as never)],
  ['truncateOldest.minMessages', () => truncateOldest({ minMessages: -1 })],
  ['truncateOldest.keepSystem', () => truncateOldest({ keepSystem: 'yes' as never })],
  ['summarize.model', () => summarize({ model: 'gpt' as never })],
  ['summarize.keepRecentTurns', () => summarize({ keepRecentTurns: 0 })],
  ['summarize.focus', () => summarize({ focus: 1 as never })],
  ['phiCompaction.compactAtPct', () => phiCompaction({ compactAtPct: 90 })],
  ['phiCompaction.compactAtPct', () => phiCompaction({ compactAtPct: 0.05 })],
  ['phiCompaction.scope', () => phiCompaction({ scope: 'all' as never })],
  ['phiCompaction.toolOutputMaxLines', () => phiCompaction({ toolOutputMaxLines: 0 })],
])('a policy rejects an invalid value of %s with config-invalid', (path, define) => {
  let thrown: unknown
  try {
    define()
  } catch (error) {
    thrown = error
  }
  expect(ParleyError.is(thrown, 'config-invalid') && thrown.info.path).toBe(path)
})
