import { ParleyError } from '@parley/core'
import { prepareAgent, type PreparedAgent } from './prepare-agent.ts'

/** Creates a placeholder agent for a run that is only ended. Ending a run calls no model and no tool. */
export function retiredAgent(name: string): PreparedAgent {
  const detail = `agent '${name}' must not be called: its run is being ended`
  const stream = (): never => {
    throw new ParleyError({ code: 'internal', detail })
  }
  return prepareAgent({ name, tools: [], model: { provider: 'none', id: 'none', info: {}, stream } }, [])
}
