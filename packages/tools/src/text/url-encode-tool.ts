import { toolError, toolOk } from '@parley/core'
import { defineReadTool } from '../define-built-in.ts'

/** The tool `url_encode`, which percent-encodes and decodes. */
export const urlEncodeTool = defineReadTool({
  name: 'url_encode',
  description: 'Percent-encodes a text for use as one part of a URL, or decodes one (with + as space).',
  input: {
    type: 'object',
    properties: { text: { type: 'string' }, decode: { type: 'boolean', description: 'Default: false.' } },
    required: ['text'],
    additionalProperties: false,
  },
  execute: ({ text, decode = false }) => {
    try {
      return toolOk(decode ? decodeURIComponent(text.replaceAll('+', ' ')) : encodeURIComponent(text.toWellFormed()))
    } catch {
      return toolError('The text has a % that is not followed by the two hexadecimal digits of a UTF-8 byte.')
    }
  },
})
