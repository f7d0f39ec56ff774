import type { UsageField, UsageTotal } from '@parley/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { usageQuery } from '../../client/queries.ts'
import { Empty } from '../../elements/empty.tsx'
import { Facts } from '../../elements/facts.tsx'
import { Fault } from '../../elements/fault.tsx'
import { dollars, tokens } from '../../elements/figures.ts'
import { SpendChart } from './spend-chart.tsx'
import { SPEND_PERIODS, type SpendPeriod, type SpendView } from './spend-view.ts'

const DAY = 86_400_000
const NAMES: Readonly<Record<UsageField, string>> = { agent: 'Agent', model: 'Model', day: 'Day' }

/** What ended runs have cost. */
export function SpendPage() {
  const view = useSearch({ from: '/spend' })
  const navigate = useNavigate()
  const { by = 'agent', period = '30d' } = view
  const since = useMemo(() => firstDay(period), [period])
  const split = useQuery(usageQuery({ since, by: [by] }))
  const days = useQuery(usageQuery({ since, by: ['day'] }))
  const change = (changes: Partial<SpendView>): void => {
    void navigate({ to: '/spend', search: { ...view, ...changes }, replace: true })
  }
  const totals = split.data?.totals ?? []
  const error = split.error ?? days.error
  return (
    <div className="page">
      <h1>Spend</h1>
      <div className="filters">
        <label className="field">
          <span className="label">Period</span>
          <select value={period} onChange={event => change({ period: event.target.value as SpendPeriod })}>
            {Object.keys(SPEND_PERIODS).map(name => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          <span className="label">By</span>
          <select value={by} onChange={event => change({ by: event.target.value as UsageField })}>
            {Object.entries(NAMES).map(([value, name]) => (
              <option key={value} value={value}>
                {name.toLowerCase()}
              </option>
            ))}
          </select>
        </label>
      </div>
      {error === null ? null : <Fault error={error} retry={() => void split.refetch()} />}
      {split.data !== undefined && totals.length === 0 ? (
        <Empty title="No run has ended in this period">
          Choose a longer period. Unfinished runs are counted when they end.
        </Empty>
      ) : (
        <>
          <Sum totals={totals} />
          <SpendChart totals={days.data?.totals ?? []} since={since} days={SPEND_PERIODS[period]} />
          <SpendTable totals={totals} by={by} />
        </>
      )}
    </div>
  )
}

function Sum({ totals }: { readonly totals: readonly UsageTotal[] }) {
  const sum = (pick: (total: UsageTotal) => number): number => totals.reduce((so, total) => so + pick(total), 0)
  const input = sum(total => total.usage.input + total.usage.cacheRead + total.usage.cacheWrite)
  const cached = sum(total => total.usage.cacheRead)
  return (
    <Facts
      facts={[
        ['Cost', dollars(sum(total => total.usd))],
        ['Model calls', sum(total => total.calls).toLocaleString()],
        ['Tokens in', tokens(input)],
        ['Tokens out', tokens(sum(total => total.usage.output))],
        ['From cache', input === 0 ? undefined : `${Math.round((cached / input) * 100)} %`],
      ]}
    />
  )
}

function SpendTable({ totals, by }: { readonly totals: readonly UsageTotal[]; readonly by: UsageField }) {
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={`Cost by ${by}`}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{NAMES[by]}</th>
            {['Runs', 'Calls', 'Tokens in', 'Tokens out', 'Cost'].map(name => (
              <th key={name} scope="col" className="right">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {totals.map(total => (
            <tr key={total[by]}>
              <td>{total[by]}</td>
              <td className="right">{total.runs.toLocaleString()}</td>
              <td className="right">{total.calls.toLocaleString()}</td>
              <td className="right">{tokens(total.usage.input + total.usage.cacheRead + total.usage.cacheWrite)}</td>
              <td className="right">{tokens(total.usage.output)}</td>
              <td className="right">{dollars(total.usd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The first moment of the period, at the beginning of a day of UTC, as the store counts days. */
function firstDay(period: SpendPeriod, now = Date.now()): number {
  return (Math.floor(now / DAY) - SPEND_PERIODS[period] + 1) * DAY
}
