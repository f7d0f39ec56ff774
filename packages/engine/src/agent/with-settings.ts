import { ParleyError, type ModelSettings } from '@parley/core'
import { contextBudget } from './context/agent-context.ts'
import { checkSettings } from './check-settings.ts'
import type { PreparedAgent } from './prepare-agent.ts'
import { withoutUndefined } from './without-undefined.ts'

/** An agent with a run's settings over its own. What an output schema asks of the model stays. */
export function withSettings(prepared: PreparedAgent, { output, ...given }: ModelSettings): PreparedAgent {
  const { definition, context } = prepared
  const over = withoutUndefined(prepared.output === undefined ? { output, ...given } : given)
  const changed = { ...definition, settings: { ...definition.settings, ...over } }
  return {
    ...prepared,
    definition: changed,
    settings: { ...prepared.settings, ...over },
    context: context === undefined ? undefined : { ...context, budget: contextBudget(changed) },
  }
}

/** @throws ParleyError `config-invalid` for settings a run of this agent cannot have. */
export function checkRunSettings(settings: ModelSettings, { definition, output }: PreparedAgent): void {
  checkSettings(settings, 'settings')
  if (settings.output === undefined || output === undefined) return
  const detail = `is set by the output schema of agent '${definition.name}'; leave it out`
  throw new ParleyError({ code: 'config-invalid', path: 'settings.output', detail })
}
