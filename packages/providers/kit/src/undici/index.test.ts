import { expect, it } from 'vitest'
import * as entry from './index.ts'

it('the undici entry exports the transport', () => {
  expect(Object.keys(entry)).toEqual(['createUndiciFetch'])
})
