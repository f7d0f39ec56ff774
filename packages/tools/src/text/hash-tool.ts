import { createHash } from 'node:crypto'
import { toolError, toolOk } from '@parley/core'
import { defineReadTool } from '../define-built-in.ts'

const ALGORITHMS = ['md5', 'sha1', 'sha256', 'sha512'] as const

/** The tool `hash_text`, which computes the digest of a text's UTF-8 bytes in hexadecimal. */
export const hashTool = defineReadTool({
  name: 'hash_text',
  description:
    'Computes the digest of a text (UTF-8), in hexadecimal. md5 and sha1 are for comparing with old digests only.',
  input: {
    type: 'object',
    properties: { text: { type: 'string' }, algorithm: { enum: ALGORITHMS, description: 'Default: sha256.' } },
    required: ['text'],
    additionalProperties: false,
  },
  execute: ({ text, algorithm = 'sha256' }) => {
    if (!ALGORITHMS.includes(algorithm)) return toolError(`'${algorithm}' is not one of ${ALGORITHMS.join(', ')}.`)
    const hash = createHash(algorithm).update(text, 'utf8').digest('hex')
    return toolOk(hash, { hash, algorithm })
  },
})
