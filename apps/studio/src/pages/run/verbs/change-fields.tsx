import { useQuery } from '@tanstack/react-query'
import type { RunChanges } from '@parley/runs-api'
import { agentsQuery } from '../../../client/queries.ts'
import { parseField, textField } from '../../../elements/form-values.ts'

/** The fields of everything that a fork or a rerun may change of the agent. */
export function ChangeFields() {
  const agents = useQuery(agentsQuery)
  return (
    <>
      <label className="field">
        <span className="label">Agent</span>
        <select name="agent" defaultValue="">
          <option value="">the same</option>
          {(agents.data ?? []).map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span className="label">Model</span>
        <input name="model" placeholder="the same" autoComplete="off" />
      </label>
      <label className="field">
        <span className="label">Instructions after the agent’s own</span>
        <textarea name="instructions" rows={3} placeholder="the same" />
      </label>
      <label className="field">
        <span className="label">Settings over the agent’s own, as JSON</span>
        <textarea name="settings" rows={2} className="code" placeholder='{ "temperature": 0.2 }' />
      </label>
    </>
  )
}

/** Reads those fields. @throws Error if the settings are not JSON. */
export function changesOf(fields: FormData): RunChanges {
  const settings = textField(fields, 'settings')
  return {
    agent: textField(fields, 'agent'),
    model: textField(fields, 'model'),
    instructions: textField(fields, 'instructions'),
    settings: settings === undefined ? undefined : parseField(settings, 'settings'),
  }
}
