import { expect, it } from 'vitest'
import * as policies from './index.ts'

it('@parley/context-policies exports four policies and two summarizers at run time', () => {
  expect(Object.keys(policies).toSorted()).toEqual([
    'createModelSummary',
    'phiCompaction',
    'slidingWindow',
    'summarize',
    'truncateOldest',
    'turnDigest',
  ])
})
