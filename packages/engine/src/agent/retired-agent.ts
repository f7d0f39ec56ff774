import { ParleyError } from '@parley/core'
import { prepareAgent, type PreparedAgent } from './prepare-agent.ts'

/** Stands for an agent whose run is only ended. That calls no model and runs no tool. */
export function retiredAgent(name: string): PreparedAgent {
  const detail = `agent '${name}' must not be called: its run is being ended`
  const stream = (): never => {
    throw new ParleyError({ code: 'internal', detail })
  }
  return prepareAgent({ name, tools: [], model: { provider: 'none', id: 'none', info: {}, stream } }, [])
}
