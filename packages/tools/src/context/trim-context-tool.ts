import { toolOk, type Tool, type ToolOutcome } from '@parley/core'
import { defineBuiltIn } from '../define-built-in.ts'
import type { InferInput } from '../infer-input.ts'
import { requireContextEditor } from './require-context-editor.ts'

const input = {
  type: 'object',
  properties: {
    tokens: { type: 'integer', minimum: 1, description: 'About how many tokens to take out, the newest step first.' },
    memo: { type: 'string', description: 'What to remember of it. It stays in the place of what goes.' },
  },
  required: ['tokens'],
  additionalProperties: false,
} as const

/** The tool `trim_context`. */
export const trimContextTool: Tool<InferInput<typeof input>, ToolOutcome> = defineBuiltIn({
  name: 'trim_context',
  description:
    'Takes your latest steps with their tool results out of the context, for when they were long and are not needed any ' +
    'more. What people said stays. Put what matters of them into memo: you will not see them again.',
  effect: 'idempotent',
  input,
  execute: async ({ tokens, memo }, context) => {
    const cut = await requireContextEditor(context).edit({
      type: 'trim',
      tokens,
      ...(memo === undefined ? {} : { memo }),
    })
    return toolOk(`Taken out: ${cut.steps} of your steps before this one, about ${cut.tokens} tokens.`, { ...cut })
  },
})
