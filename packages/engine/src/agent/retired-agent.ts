import { ParleyError } from '@parley/core'
import { prepareAgent, type PreparedAgent } from './prepare-agent.ts'

/** Stands for an agent whose run is only to be brought to its end: no model is called and no tool is run for that. */
export function retiredAgent(name: string): PreparedAgent {
  const detail = `agent '${name}' was asked although its run is being ended`
  const stream = (): never => {
    throw new ParleyError({ code: 'internal', detail })
  }
  return prepareAgent({ name, tools: [], model: { provider: 'none', id: 'none', info: {}, stream } }, [])
}
