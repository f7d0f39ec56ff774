import type { UsageTotal } from '@parley/core'
import { dollars } from '../../elements/figures.ts'

export interface SpendChartProps {
  /** Totals by day. */
  readonly totals: readonly UsageTotal[]
  readonly since: number
  readonly days: number
}

const DAY = 86_400_000
const HEIGHT = 96

/** The cost of each day as a bar. */
export function SpendChart({ totals, since, days }: SpendChartProps) {
  if (days < 2) return null
  const byDay = new Map(totals.map(total => [total.day, total.usd]))
  const bars = Array.from({ length: days }, (_, index) => {
    const day = new Date(since + index * DAY).toISOString().slice(0, 10)
    return { day, usd: byDay.get(day) ?? 0 }
  })
  const most = Math.max(...bars.map(bar => bar.usd))
  if (most === 0) return null
  const width = 100 / days
  const sum = bars.reduce((so, bar) => so + bar.usd, 0)
  return (
    <figure className="chart card">
      <svg
        viewBox={`0 0 100 ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Cost of each day: ${dollars(sum)} in ${days} days, ${dollars(most)} on the most expensive day`}
      >
        {bars.map(({ day, usd }, index) => {
          const height = (usd / most) * HEIGHT
          return (
            <rect key={day} x={index * width + width * 0.1} y={HEIGHT - height} width={width * 0.8} height={height}>
              <title>{`${day}: ${dollars(usd)}`}</title>
            </rect>
          )
        })}
      </svg>
      <figcaption className="row spread small quiet">
        <span>{bars[0]?.day}</span>
        <span>{dollars(most)} on the most expensive day</span>
        <span>{bars.at(-1)?.day}</span>
      </figcaption>
    </figure>
  )
}
