import { expect, it } from 'vitest'
import * as otel from './index.ts'

it('exports exactly this', () => {
  expect(Object.keys(otel)).toEqual(['createOtel', 'traceContext'])
})
