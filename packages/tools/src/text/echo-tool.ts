import { toolOk } from '@parley/core'
import { defineReadTool } from '../define-built-in.ts'

/** The tool `echo`, which returns its text. Useful to test a set-up. */
export const echoTool = defineReadTool({
  name: 'echo',
  description: 'Returns the text it is given.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false },
  execute: ({ text }) => toolOk(text),
})
