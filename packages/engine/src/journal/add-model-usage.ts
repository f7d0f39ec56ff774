import { addCost, addUsage, type ModelUsage } from '@parley/core'

/** Adds what calls of one model used. A run rarely has more than one model, so the list is short. */
export function addModelUsage(models: readonly ModelUsage[], added: ModelUsage): readonly ModelUsage[] {
  const at = models.findIndex(({ model }) => model === added.model)
  const before = models[at]
  if (before === undefined) return [...models, added]
  const calls = before.calls + added.calls
  const usage = addUsage(before.usage, added.usage)
  return models.with(at, { model: added.model, calls, usage, cost: addCost(before.cost, added.cost) })
}
