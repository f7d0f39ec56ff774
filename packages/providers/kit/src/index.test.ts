import { expect, it } from 'vitest'
import * as kit from './index.ts'

it('exports what provider authors build on, and nothing else', () => {
  expect(Object.keys(kit).sort()).toEqual([
    'createEncodingCache',
    'createHttp',
    'createNdjsonParser',
    'createSseParser',
    'encodeJson',
    'isContextLengthText',
    'isRetryable',
    'redact',
  ])
})
