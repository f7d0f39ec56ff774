import { useQuery } from '@tanstack/react-query'
import { workersQuery } from '../../client/queries.ts'
import { Empty } from '../../elements/empty.tsx'
import { Fault } from '../../elements/fault.tsx'
import { duration } from '../../elements/figures.ts'

/** The processes that drive runs, and whether they are alive. */
export function WorkersPage() {
  const list = useQuery(workersQuery)
  const { now = 0, workers = [] } = list.data ?? {}
  return (
    <div className="page">
      <h1>Workers</h1>
      {list.error === null ? null : <Fault error={list.error} retry={() => void list.refetch()} />}
      {list.data !== undefined && workers.length === 0 ? (
        <Empty title="No process drives a run">A worker appears here while it drives runs of this scope.</Empty>
      ) : null}
      {workers.length === 0 ? null : (
        <div className="scroll" tabIndex={0} role="region" aria-label="Workers">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Worker</th>
                <th scope="col">State</th>
                <th scope="col" className="right">
                  Runs
                </th>
              </tr>
            </thead>
            <tbody>
              {workers.map(({ worker, aliveUntil, runs }) => (
                <tr key={worker}>
                  <td className="mono">{worker}</td>
                  <td>
                    <span className="status" data-tone={aliveUntil > now ? 'good' : 'bad'}>
                      {stateOf(aliveUntil, now)}
                    </span>
                  </td>
                  <td className="right">{runs}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  )
}

function stateOf(aliveUntil: number, now: number): string {
  if (aliveUntil > now) return `alive, its lease ends in ${duration(aliveUntil - now)}`
  if (aliveUntil === 0) return 'released its runs; another worker may resume them'
  return `silent since ${duration(now - aliveUntil)}; another worker may resume its runs`
}
