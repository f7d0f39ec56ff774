import { expect, it } from 'vitest'
import * as runsApi from './index.ts'

it('@parley/runs-api exports exactly these values at run time', () => {
  expect(Object.keys(runsApi)).toEqual(['createRunsClient', 'toTestFile'])
})
