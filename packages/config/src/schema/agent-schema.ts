import * as z from 'zod'
import { defaultsFields } from './agent-defaults-schema.ts'
import { contextSchema } from './context-schema.ts'
import { instructionsSchema } from './instructions-schema.ts'
import { limitsSchema, quotaSchema } from './limits-schema.ts'
import { anyJson, count, lasting, words } from './scalars.ts'

const subAgentSchema = z.union([
  words,
  z.strictObject({
    agent: words.describe("Name of an agent in 'agents'."),
    name: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/)
      .optional()
      .describe("Name of the tool. Default: the agent's name."),
    description: words.optional().describe("Description of the tool. Default: the agent's description."),
    limits: limitsSchema.optional(),
    timeoutMs: lasting.optional(),
  }),
])

const outputFields = {
  name: words.optional().describe('Name of the output, for the model. Default: final_answer.'),
  strategy: z
    .enum(['native', 'tool', 'prompt'])
    .optional()
    .describe("How the model is asked for the output. Default: depends on the model's structuredOutput."),
  repairs: z.int().min(0).optional().describe('How often an invalid answer is sent back for repair. Default: 3.'),
}

const outputSchema = z
  .union([
    z.strictObject({ schema: z.record(z.string(), anyJson).describe('A JSON Schema.'), ...outputFields }),
    z.strictObject({ file: words.describe('A JSON file with the schema.'), ...outputFields }),
  ])
  .describe('The data that a run must end with. Default: none, a run ends with text.')

const truncation = z.enum(['return', 'continue', 'retry', 'auto'])

const queueSchema = z.strictObject({
  capacity: count.optional().describe('Maximum number of queued messages. Default: 100.'),
  onFull: z.enum(['refuse', 'drop-oldest']).optional().describe('What a full queue does. Default: refuse.'),
  steering: z
    .enum(['all', 'one'])
    .optional()
    .describe('How many steering messages join before one model call. Default: all.'),
  followUps: z
    .enum(['all', 'one'])
    .optional()
    .describe('How many follow-ups join when the run would end. Default: one.'),
})

const webhookSchema = z.strictObject({
  url: words.describe('Address of the webhook: https:, or http: on this machine.'),
  secret: words.describe('Key that signs each request: whsec_ and base64.'),
  timeoutMs: lasting.optional().describe('Longest time for a decision. Default: 300000.'),
  headers: z.record(words, z.string()).optional(),
})

/** Fields of agents and of profiles. */
const sharedFields = {
  description: words
    .optional()
    .describe('What the agent can do. Agents that may call it or hand over to it see this text.'),
  instructions: instructionsSchema.optional(),
  ...defaultsFields,
  tools: z
    .array(words)
    .optional()
    .describe("Names in 'toolsets' or 'mcpServers', or of registered tools and toolsets."),
  agents: z.array(subAgentSchema).optional().describe('Agents that this agent may call as tools.'),
  handoffs: z.array(words).optional().describe('Agents that this agent may hand the conversation over to.'),
  toolDescriptions: z
    .record(words, z.string())
    .optional()
    .describe('Descriptions that replace those of the tools, by tool name.'),
  repairArguments: z.boolean().optional().describe('Whether invalid JSON arguments are repaired. Default: true.'),
  context: z
    .union([z.literal('none'), words.describe("Name of a policy in 'contexts'."), contextSchema])
    .optional()
    .describe('How a long conversation is shortened. Default: the newest 100 messages are sent.'),
  contextWindow: count.optional().describe("Context window of the model in tokens. Default: the model's."),
  onTruncated: z
    .union([truncation, z.strictObject({ policy: z.enum(['continue', 'retry', 'auto']), attempts: count })])
    .optional()
    .describe('What happens if the length limit cuts off an answer. Default: return.'),
  queue: queueSchema.optional().describe('Queue for steering messages and follow-ups.'),
  output: outputSchema.optional(),
  quota: quotaSchema.optional(),
  approval: z
    .strictObject({ webhook: webhookSchema })
    .optional()
    .describe('Who decides on tool calls that ask permission. Default: the run is suspended in its store.'),
  inputFilters: z.array(words).optional().describe("Names in 'inputFilters', or of registered input filters."),
  skills: z.array(words).optional().describe('Folders of skills, from the folder of this file.'),
}

export const profileSchema = z.strictObject(sharedFields).describe('Fields that several agents share.')

export const agentSchema = z
  .strictObject({
    profile: words.optional().describe("Name of a profile in 'profiles'. The agent's own fields override it."),
    ...sharedFields,
  })
  .describe('An agent: a model with instructions and tools.')

export type AgentData = z.output<typeof agentSchema>
export type ProfileData = z.output<typeof profileSchema>
