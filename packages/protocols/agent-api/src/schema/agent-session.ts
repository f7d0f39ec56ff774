import * as z from 'zod'

const message = z.looseObject({
  type: z.string(),
  role: z.string().nullish(),
  content: z.array(z.looseObject({ type: z.string(), text: z.string().nullish() })).nullish(),
})

/** A session of a Parley server. Times are in seconds since the epoch. */
const agentSessionSchema = z.object({
  id: z.string().min(1),
  /** Agent of the newest run. */
  agent: z.string().nullish(),
  /** Status of the newest run. */
  status: z.string().nullish(),
  /** Number of runs. */
  runs: z.number(),
  created_at: z.number(),
  updated_at: z.number(),
})
export type AgentSession = z.infer<typeof agentSessionSchema>

/** The list of the client's sessions. */
export const agentSessionsSchema = z.object({ data: z.array(agentSessionSchema) })

/** A session with the messages of its runs, oldest first. `input` is what the user sent in a run, `output` its response. */
export const agentSessionHistorySchema = agentSessionSchema.extend({
  history: z.array(z.object({ id: z.string(), status: z.string(), input: z.array(message), output: z.array(message) })),
})
export type AgentSessionHistory = z.infer<typeof agentSessionHistorySchema>
