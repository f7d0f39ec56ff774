import * as z from 'zod'
import { count, words } from './scalars.ts'

const whole = z.int().min(0)
const share = z.number().min(0).max(1)

const bounds = {
  maxMessages: count.optional().describe('Maximum number of messages in one call.'),
  maxTokens: count
    .optional()
    .describe("Maximum number of tokens in one call. Default: four fifths of the model's window."),
}

/** Context policies of `@parley/context-policies` as data. They decide which part of a long conversation is sent. */
export const contextSchema = z
  .discriminatedUnion('policy', [
    z.strictObject({ policy: z.literal('sliding-window'), ...bounds }),
    z.strictObject({
      policy: z.literal('truncate-oldest'),
      ...bounds,
      minMessages: whole.optional().describe('Minimum number of messages that stay. Default: 0.'),
      keepSystem: z.boolean().optional().describe('Whether system messages stay. Default: true.'),
    }),
    z.strictObject({
      policy: z.literal('summarize'),
      ...bounds,
      model: words.optional().describe("The model that writes summaries. Default: the agent's model."),
      maxSummaryTokens: count.optional().describe('Maximum length of a summary. Default: 2000.'),
      keepRecentTurns: count.optional().describe('Newest turns that are not summarized. Default: 4.'),
      focus: words.optional().describe('What the summary must keep.'),
    }),
    z.strictObject({
      policy: z.literal('phi'),
      maxContextTokens: count
        .optional()
        .describe("Size of the context window. Default: the model's window, or 100000 if it is unknown."),
      systemPromptTokens: whole.optional().describe('Tokens reserved for instructions and tools. Default: 4000.'),
      compactAtPct: share.optional().describe('Share of the window that a call may use. Default: 0.9.'),
      compactBudgetThresholdPct: share
        .optional()
        .describe(
          'Compaction starts when less than this share of the window is left below compactAtPct. Default: 0.05.',
        ),
      scope: z
        .union([whole, z.literal('token-budget')])
        .optional()
        .describe('How many earlier runs of the session stay, as summaries. Default: 3.'),
      keepFirstTurns: whole.optional().describe('First turns that are not summarized. Default: 2.'),
      keepRecentTurns: count.optional().describe('Newest turns that are not summarized. Default: 10.'),
      maxSummaryTokens: count.optional().describe('Maximum length of a summary. Default: 2000.'),
      toolOutputMaxLines: count.optional().describe('Maximum number of lines of a tool output. Default: 50.'),
      focusMessage: words.optional().describe('Text before the summary.'),
    }),
  ])
  .describe('A context policy: which part of a long conversation is sent.')

export type ContextData = z.output<typeof contextSchema>
