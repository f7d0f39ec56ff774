import * as z from 'zod'
import { count, words } from './scalars.ts'

const whole = z.int().min(0)
const share = z.number().min(0).max(1)

const bounds = {
  maxMessages: count.optional().describe('Most messages of one call.'),
  maxTokens: count.optional().describe("Most tokens of one call. Default: four fifths of the model's window."),
}

/** How much of a long conversation is still sent: the policies of `@parley/engine` as data. */
export const contextSchema = z
  .discriminatedUnion('policy', [
    z.strictObject({ policy: z.literal('sliding-window'), ...bounds }),
    z.strictObject({
      policy: z.literal('truncate-oldest'),
      ...bounds,
      minMessages: whole.optional().describe('Messages that stay in any case. Default: 0.'),
      keepSystem: z.boolean().optional().describe('Whether system messages stay. Default: true.'),
    }),
    z.strictObject({
      policy: z.literal('summarize'),
      ...bounds,
      model: words.optional().describe("Writes the summary. Default: the agent's own."),
      maxSummaryTokens: count.optional().describe('Default: 2000.'),
      keepRecentTurns: count.optional().describe('Turns that stay as they are. Default: 4.'),
      focus: words.optional().describe('What the summary pays most attention to.'),
    }),
    z.strictObject({
      policy: z.literal('phi'),
      maxContextTokens: count.optional().describe("Default: the model's window, else 100000."),
      systemPromptTokens: whole.optional().describe('Tokens reserved for instructions and tools. Default: 4000.'),
      compactAtPct: share.optional().describe('Share of the window below which headroom is measured. Default: 0.9.'),
      compactBudgetThresholdPct: share.optional().describe('Headroom below which it compacts. Default: 0.05.'),
      scope: z
        .union([whole, z.literal('token-budget')])
        .optional()
        .describe('Earlier runs of the session that stay, summarised. Default: 3.'),
      keepFirstTurns: whole.optional().describe('Default: 2.'),
      keepRecentTurns: count.optional().describe('Default: 10.'),
      maxSummaryTokens: count.optional().describe('Default: 2000.'),
      toolOutputMaxLines: count.optional().describe("Lines of one tool's output. Default: 50."),
      focusMessage: words.optional().describe('Put in front of the summary.'),
    }),
  ])
  .describe('What of a long conversation is still sent.')

export type ContextData = z.output<typeof contextSchema>
