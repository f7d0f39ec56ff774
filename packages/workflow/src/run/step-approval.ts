import { defineTool, toolAnswer, toolOk, type Json, type Tool } from '@parley/core'
import { STEP_TOOLS } from '../compile/plan.ts'

interface Question {
  readonly prompt: string
  readonly roles?: readonly string[] | undefined
  readonly timeoutMs?: number | undefined
  readonly value?: Json | undefined
}

/** The tool of approval steps. Its permission asks for approval, and the handler runs after the approval. */
export const stepApproval: Tool = defineTool({
  name: STEP_TOOLS.approval,
  description: 'Asks for approval before the workflow continues.',
  input: {
    type: 'object',
    properties: {
      prompt: { type: 'string' },
      roles: { type: 'array', items: { type: 'string' } },
      timeoutMs: { type: 'number' },
      value: {},
    },
    required: ['prompt'],
    additionalProperties: false,
  },
  effect: 'idempotent',
  permission(input) {
    const { prompt, roles, timeoutMs: expiresInMs } = input as Question
    return { effect: 'ask', prompt, roles, expiresInMs }
  },
  execute: input => toolOk('Approved.', (input as Question).value ?? true),
})

/** The tool that ends a run with its result. */
export const stepEnd: Tool = defineTool({
  name: STEP_TOOLS.end,
  description: 'Ends the workflow with its result.',
  input: { type: 'object' },
  effect: 'idempotent',
  execute: output => toolAnswer(output as Json),
})
