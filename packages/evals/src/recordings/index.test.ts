import { expect, it } from 'vitest'
import * as recordings from './index.ts'

it('@parley/evals/recordings exports exactly these values', () => {
  expect(Object.keys(recordings).toSorted()).toEqual([
    'loadRunCassette',
    'loadRunRecording',
    'readCassette',
    'recordModel',
    'replayModel',
    'replayRun',
    'writeCassette',
  ])
})
