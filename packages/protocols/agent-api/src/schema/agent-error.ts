import * as z from 'zod'

/** Why something failed, for programs and for people. */
export const agentErrorSchema = z.object({ code: z.string(), message: z.string() })
export type AgentError = z.infer<typeof agentErrorSchema>
