import { toolError, toolOk, type ContextStep, type Tool, type ToolOutcome } from '@parley/core'
import { defineBuiltIn } from '../define-built-in.ts'
import type { InferInput } from '../infer-input.ts'
import { requireContextEditor } from './require-context-editor.ts'

const input = {
  type: 'object',
  properties: {
    category: {
      type: 'string',
      enum: ['failure', 'tangent', 'completion', 'step-summary'],
      description:
        'Why: the steps led nowhere, they led away from the task, their part of the task is done, or only their result matters.',
    },
    step: {
      type: 'integer',
      minimum: 0,
      description: 'The last step to keep; 0 is where this task began. Leave it out to get a list of your steps.',
    },
    summary: { type: 'string', description: 'What to remember of the steps after it. It replaces them.' },
  },
  required: ['category'],
  additionalProperties: false,
} as const

/** The tool `revert_to_state`, which removes all steps after an earlier one from the context. */
export const revertToStateTool: Tool<InferInput<typeof input>, ToolOutcome> = defineBuiltIn({
  name: 'revert_to_state',
  description:
    'Removes all your steps after an earlier one from the context, so that you continue from there. User messages stay. ' +
    'What the steps changed outside the conversation stays too. Put what you learned into summary: you will not see the steps again.',
  effect: 'idempotent',
  input,
  execute: async ({ category, step, summary }, context) => {
    const editor = requireContextEditor(context)
    if (step === undefined) return toolError(`Say which step to go back to. ${listOf(editor.steps())}`)
    const cut = await editor.edit({
      type: 'revert',
      step,
      category,
      ...(summary === undefined ? {} : { summary }),
    })
    return toolOk(`Back at step ${step}: ${cut.steps} steps removed, about ${cut.tokens} tokens.`, { ...cut })
  },
})

function listOf(steps: readonly ContextStep[]): string {
  if (steps.length === 0) return 'The only earlier step is 0, where this task began.'
  return ['0: where this task began', ...steps.map(lineOf)].join('\n')
}

const LINE = 120

function lineOf({ step, calls, text }: ContextStep): string {
  const made = calls.map(call => `${call.name} ${call.arguments}`).join('; ')
  const line = (made === '' ? text : made).replaceAll(/\s+/g, ' ')
  return `${step}: ${line.length <= LINE ? line : `${line.slice(0, LINE).replace(/[\uD800-\uDBFF]$/, '')}…`}`
}
