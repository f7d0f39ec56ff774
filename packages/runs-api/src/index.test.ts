import { expect, it } from 'vitest'
import * as runsApi from './index.ts'

it('@parley/runs-api exports createRunsClient and nothing else at run time', () => {
  expect(Object.keys(runsApi)).toEqual(['createRunsClient'])
})
