import * as z from 'zod'
import { behaviourFields, limitsSchema, quotaSchema } from './behaviour-schema.ts'
import { contextSchema } from './context-schema.ts'
import { instructionsSchema } from './instructions-schema.ts'
import { anyJson, count, lasting, words } from './scalars.ts'

const subAgentSchema = z.union([
  words,
  z.strictObject({
    agent: words.describe("A name of 'agents'."),
    name: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/)
      .optional()
      .describe("Name of the tool. Default: the agent's."),
    description: words.optional().describe("Default: the agent's own."),
    limits: limitsSchema.optional(),
    timeoutMs: lasting.optional(),
  }),
])

const outputFields = {
  name: words.optional().describe('What it is, for the model. Default: final_answer.'),
  strategy: z.enum(['native', 'tool', 'prompt']).optional().describe('Default: by what is known about the model.'),
  repairs: z.int().min(0).optional().describe('How often an answer that does not fit is sent back. Default: 3.'),
}

const outputSchema = z
  .union([
    z.strictObject({ schema: z.record(z.string(), anyJson).describe('A JSON Schema.'), ...outputFields }),
    z.strictObject({ file: words.describe('A JSON file with the schema.'), ...outputFields }),
  ])
  .describe('What a run must end with. Default: text is enough.')

const truncation = z.enum(['return', 'continue', 'retry', 'auto'])

const queueSchema = z.strictObject({
  capacity: count.optional().describe('Most messages that wait at once. Default: 100.'),
  onFull: z.enum(['refuse', 'drop-oldest']).optional().describe('Default: refuse.'),
  steering: z.enum(['all', 'one']).optional().describe('How many join at one boundary. Default: all.'),
  followUps: z.enum(['all', 'one']).optional().describe('How many join when the run would end. Default: one.'),
})

const webhookSchema = z.strictObject({
  url: words.describe('https:, or http: on this machine.'),
  secret: words.describe('Signs each request: whsec_ and base64.'),
  timeoutMs: lasting.optional().describe('Default: 300000.'),
  headers: z.record(words, z.string()).optional(),
})

/** What an agent and a profile may both say. */
const sharedFields = {
  description: words.optional().describe('What it is good for, told to agents that may call it or hand over to it.'),
  instructions: instructionsSchema.optional(),
  ...behaviourFields,
  tools: z.array(words).optional().describe('Names of tools, and of sources of tools, that the program registers.'),
  agents: z.array(subAgentSchema).optional().describe('Agents it may call like tools.'),
  handoffs: z.array(words).optional().describe('Agents that may go on in its place.'),
  toolDescriptions: z
    .record(words, z.string())
    .optional()
    .describe('What the model is told about tools, in the place of their own words.'),
  repairArguments: z.boolean().optional().describe('Whether arguments that are no JSON are repaired. Default: true.'),
  context: z
    .union([z.literal('none'), words.describe("A name of 'contexts'."), contextSchema])
    .optional()
    .describe('What of a long conversation is still sent. Default: a window of the newest 100 messages.'),
  contextWindow: count.optional().describe("Tokens the model takes. Default: the model's."),
  onTruncated: z
    .union([truncation, z.strictObject({ policy: z.enum(['continue', 'retry', 'auto']), attempts: count })])
    .optional()
    .describe('What happens to an answer that its length cut off. Default: return.'),
  queue: queueSchema.optional().describe('How steering and follow-ups wait.'),
  output: outputSchema.optional(),
  quota: quotaSchema.optional(),
  approval: z
    .strictObject({ webhook: webhookSchema })
    .optional()
    .describe('Who decides about calls that ask. Default: the run waits in its store.'),
  middleware: z.array(words).optional().describe('Names of what the program registers; the first sees a call first.'),
  inputFilters: z.array(words).optional().describe('Names of what the program registers.'),
}

export const profileSchema = z.strictObject(sharedFields).describe('What several agents have in common.')

export const agentSchema = z
  .strictObject({
    profile: words.optional().describe("A name of 'profiles': what it says holds where the agent says nothing."),
    ...sharedFields,
  })
  .describe('Who answers: a model with instructions and tools.')

export type AgentData = z.output<typeof agentSchema>
export type ProfileData = z.output<typeof profileSchema>
