import type { HealthPart } from '@parley/runs-api'
import { useQuery } from '@tanstack/react-query'
import { healthQuery } from '../../client/queries.ts'
import { Facts } from '../../elements/facts.tsx'
import { Fault } from '../../elements/fault.tsx'

const KINDS: Readonly<Record<HealthPart['kind'], string>> = {
  store: 'Store',
  'event-bus': 'Event bus',
  model: 'Model',
  'tool-source': 'Source of tools',
  tool: 'Tool',
}
const TONES = { ok: 'good', failed: 'bad', unknown: 'plain' } as const
const WORDS = { ok: 'works', failed: 'failed', unknown: 'not used yet' } as const

/** Whether each part of the server works. */
export function HealthPage() {
  const health = useQuery(healthQuery)
  const { data } = health
  return (
    <div className="page">
      <h1>Health</h1>
      {health.error === null ? null : <Fault error={health.error} retry={() => void health.refetch()} />}
      {data === undefined ? null : (
        <>
          <Facts
            facts={[
              ['Starts runs', data.alive ? 'yes' : 'no, it is closing'],
              ['Runs at work', data.activeRuns],
              ['Runs that wait for a place', data.queuedRuns],
              [
                'Last model call',
                data.lastModelCall === undefined ? 'none yet' : new Date(data.lastModelCall.at).toLocaleString(),
              ],
            ]}
          />
          {data.lastModelCall?.error === undefined ? null : (
            <p className="fault">The last model call failed: {data.lastModelCall.error}</p>
          )}
          <div className="scroll" tabIndex={0} role="region" aria-label="Parts of the server">
            <table className="table">
              <thead>
                <tr>
                  {['Part', 'Name', 'State', 'Detail'].map(name => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {data.parts.map(part => (
                  <tr key={`${part.kind}/${part.name}`}>
                    <td>{KINDS[part.kind]}</td>
                    <td className="mono">{part.name}</td>
                    <td>
                      <span className="status" data-tone={TONES[part.status]}>
                        {WORDS[part.status]}
                      </span>
                    </td>
                    <td className="quiet wrap">{part.detail ?? part.error?.code ?? ''}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </div>
  )
}
