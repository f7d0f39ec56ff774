import { ParleyError, type LimitHit, type Limits } from '@parley/core'

const FIELDS: Readonly<Record<keyof Limits, true>> = {
  maxTurns: true,
  maxTokens: true,
  maxDurationMs: true,
  maxDepth: true,
  maxCost: true,
}

/** @throws ParleyError `config-invalid` if a limit is unknown or not above 0. */
export function checkLimits(limits: Limits, path: string): void {
  const known = Object.keys(FIELDS).join(', ')
  for (const [field, value] of Object.entries(limits)) {
    const isValid = value === undefined || (typeof value === 'number' && value > 0)
    if (field in FIELDS && isValid) continue
    const detail = field in FIELDS ? `is ${value}; must be above 0` : `is unknown; known: ${known}`
    throw new ParleyError({ code: 'config-invalid', path: `${path}.${field}`, detail })
  }
}

/** Returns the message that tells the model about a reached limit. */
export function limitNote({ limit, max, value }: LimitHit): string {
  const reached = {
    turns: `Max turns reached (${value}/${max})`,
    tokens: `Max tokens reached (${value}/${max})`,
    duration: `Max duration reached (${Math.round(value / 1000)}s/${Math.round(max / 1000)}s)`,
    cost: `Max cost reached ($${value.toFixed(4)}/$${max.toFixed(4)})`,
  }
  return `[Agent stopped: ${reached[limit]}]`
}
