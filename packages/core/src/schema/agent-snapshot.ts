import * as z from 'zod'
import { jsonSchema, type Json } from './json.ts'

/** A limit of an agent. No limit is the text `unlimited`, because JSON has no infinity. */
const limit = z.union([z.number(), z.literal('unlimited')]).optional()

/**
 * How an agent was configured when a run began. It never contains the model's address, headers and keys, `providerOptions`, values
 * of template variables, handlers of tools, or middleware.
 */
export const agentSnapshotSchema = z.object({
  /** The agent's settings with the runtime's defaults, such as `temperature` and `thinking`; without `providerOptions` and `output`. */
  settings: z.record(z.string(), jsonSchema),
  /** The limits that the agent or the runtime sets. `unlimited` stands for `Infinity`. */
  limits: z.object({ maxTurns: limit, maxTokens: limit, maxDurationMs: limit, maxDepth: limit, maxCost: limit }),
  /** What happens at a limit. */
  onLimit: z.enum(['stop', 'fail', 'answer']),
  /** The effect of each of the agent's own tools, by name. */
  tools: z.record(z.string(), z.enum(['read', 'idempotent', 'once'])),
  /** Names of the sources from which further tools come. Absent: none. */
  toolSources: z.array(z.string()).optional(),
  /** Agents that the run may be handed over to. Absent: none. */
  handoffs: z.array(z.string()).optional(),
  /** The instructions, with templates before their variables are filled in. Absent: none. */
  instructions: z
    .object({
      /** Equal for equal texts. It identifies the text of an agent and is not safe against forgery. */
      digest: z.string(),
      /** Absent if the text is longer than 4,000 characters or seems to contain a credential. */
      text: z.string().optional(),
    })
    .optional(),
  /** Name of the context policy. Absent: none. */
  context: z.string().optional(),
})
/** How an agent was configured when a run began, without secrets. */
export interface AgentSnapshot {
  /** The agent's settings with the runtime's defaults, such as `temperature` and `thinking`; without `providerOptions` and `output`. */
  settings: Record<string, Json>
  /** The limits that the agent or the runtime sets. `unlimited` stands for `Infinity`. */
  limits: {
    maxTurns?: number | 'unlimited' | undefined
    maxTokens?: number | 'unlimited' | undefined
    maxDurationMs?: number | 'unlimited' | undefined
    maxDepth?: number | 'unlimited' | undefined
    maxCost?: number | 'unlimited' | undefined
  }
  /** What happens at a limit. */
  onLimit: 'stop' | 'fail' | 'answer'
  /** The effect of each of the agent's own tools, by name. */
  tools: Record<string, 'read' | 'idempotent' | 'once'>
  /** Names of the sources from which further tools come. Absent: none. */
  toolSources?: string[] | undefined
  /** Agents that the run may be handed over to. Absent: none. */
  handoffs?: string[] | undefined
  /** The instructions, with templates before their variables are filled in. Absent: none. */
  instructions?:
    | {
        /** Equal for equal texts. It identifies the text of an agent and is not safe against forgery. */
        digest: string
        /** Absent if the text is longer than 4,000 characters or seems to contain a credential. */
        text?: string | undefined
      }
    | undefined
  /** Name of the context policy. Absent: none. */
  context?: string | undefined
}
