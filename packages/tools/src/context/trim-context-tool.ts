import { toolOk, type Tool, type ToolOutcome } from '@parley/core'
import { defineBuiltIn } from '../define-built-in.ts'
import type { InferInput } from '../infer-input.ts'
import { requireContextEditor } from './require-context-editor.ts'

const input = {
  type: 'object',
  properties: {
    tokens: { type: 'integer', minimum: 1, description: 'About how many tokens to remove, the newest step first.' },
    memo: { type: 'string', description: 'What to remember of the removed steps. It replaces them.' },
  },
  required: ['tokens'],
  additionalProperties: false,
} as const

/** The tool `trim_context`, which removes the newest steps from the context. */
export const trimContextTool: Tool<InferInput<typeof input>, ToolOutcome> = defineBuiltIn({
  name: 'trim_context',
  description:
    'Removes your latest steps and their tool results from the context, for when they are long and no longer needed. ' +
    'User messages stay. Put what matters into memo: you will not see the steps again.',
  effect: 'idempotent',
  input,
  execute: async ({ tokens, memo }, context) => {
    const cut = await requireContextEditor(context).edit({
      type: 'trim',
      tokens,
      ...(memo === undefined ? {} : { memo }),
    })
    return toolOk(`Removed: ${cut.steps} of your steps before this one, about ${cut.tokens} tokens.`, { ...cut })
  },
})
