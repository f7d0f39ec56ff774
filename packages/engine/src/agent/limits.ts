import { checkOptions, refuseOption, type LimitHit, type Limits, type OptionKinds } from '@parley/core'

export const LIMITS: OptionKinds<Limits> = {
  maxTurns: 'number',
  maxTokens: 'number',
  maxDurationMs: 'number',
  maxDepth: 'number',
  maxCost: 'number',
}

/** Checks the limits of an agent. @throws ParleyError `config-invalid` if a limit is unknown or not above 0. */
export function checkLimits(limits: Limits, path: string): void {
  checkOptions(path, limits, LIMITS)
  for (const [field, value] of Object.entries({ ...limits }))
    if (value !== undefined && !(value > 0)) refuseOption(`${path}.${field}`, `is ${value}; must be above 0`)
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
