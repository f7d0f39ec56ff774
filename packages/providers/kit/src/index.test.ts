import { expect, it } from 'vitest'
import * as kit from './index.ts'

it('exports what provider authors build on, and nothing else', () => {
  expect(Object.keys(kit).sort()).toEqual([
    'checkVectors',
    'countOf',
    'createEncodingCache',
    'createHttp',
    'createNdjsonParser',
    'createSseParser',
    'encodeJson',
    'extraFields',
    'fallback',
    'fieldsOf',
    'isContextLengthText',
    'isOwnReply',
    'isRetryable',
    'listOf',
    'mergeFields',
    'ownDataOf',
    'planCache',
    'platformFetch',
    'randomCallId',
    'readEnvironment',
    'redact',
    'spread',
    'textOf',
    'toJsonObject',
    'vertexAddress',
    'withBearer',
    'withPromptedTools',
  ])
})
