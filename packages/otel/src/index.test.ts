import { expect, it } from 'vitest'
import * as otel from './index.ts'

it('the otel package exports exactly its public surface', () => {
  expect(Object.keys(otel)).toEqual(['createOtel', 'traceContext'])
})
