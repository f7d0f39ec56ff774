import type { RunEvent } from '@parley/core'
import { createAgentEncoder, type AgentEncoderOptions } from './create-agent-encoder.ts'
import { pullEvents } from '../stream/pull-events.ts'
import type { AgentEvent } from '../schema/agent-event.ts'

/**
 * A run as the stream of one response. Pulls: a slow reader slows only itself, and the run's own feed joins the deltas
 * it has not read. Always ends with one terminal event and never throws: what goes wrong is in that event. Leaving it
 * stops watching, not the run.
 */
export function agentApiStream(
  run: AsyncIterable<RunEvent>,
  options: AgentEncoderOptions = {},
): AsyncIterableIterator<AgentEvent, undefined> {
  const encoder = createAgentEncoder(options)
  const source = run[Symbol.asyncIterator]()
  const pull = async (): Promise<readonly AgentEvent[] | undefined> => {
    if (encoder.ended) return undefined
    try {
      const { value, done } = await source.next()
      return done === true ? encoder.end() : encoder.push(value)
    } catch (error) {
      return encoder.end(error)
    }
  }
  return pullEvents(pull, () => void source.return?.().catch(() => {}))
}
