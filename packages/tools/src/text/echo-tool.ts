import { toolOk } from '@parley/core'
import { defineReadTool } from '../define-built-in.ts'

/** The tool `echo`: gives back its text, to try a set-up out. */
export const echoTool = defineReadTool({
  name: 'echo',
  description: 'Gives back the text it is given.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false },
  execute: ({ text }) => toolOk(text),
})
