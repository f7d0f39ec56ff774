import { dollars } from '../../elements/figures.ts'
import type { TimeScale } from '../../run-model/time-scale.ts'
import type { Timeline } from '../../run-model/timeline.ts'

export interface CostRibbonProps {
  readonly costs: Timeline['costs']
  readonly scale: TimeScale
}

/** The cost of the run so far, over its time. */
export function CostRibbon({ costs, scale }: CostRibbonProps) {
  const most = costs.at(-1)?.usd ?? 0
  if (most === 0) return null
  let path = 'M0 24'
  let height = 24
  for (const { at, usd } of costs) {
    const x = (scale.place(at) * 1000).toFixed(1)
    path += ` L${x} ${height.toFixed(1)}`
    height = 24 - (usd / most) * 22
    path += ` L${x} ${height.toFixed(1)}`
  }
  path += ` L1000 ${height.toFixed(1)} L1000 24 Z`
  return (
    <div className="ribbon">
      <span className="small quiet">Cost so far</span>
      <svg viewBox="0 0 1000 24" preserveAspectRatio="none" role="img" aria-label={`Cost so far: ${dollars(most)}`}>
        <path d={path} />
      </svg>
    </div>
  )
}
