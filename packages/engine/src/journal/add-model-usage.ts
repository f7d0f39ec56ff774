import { addCost, addUsage, type ModelUsage } from '@parley/core'

/** Adds what calls of one model used. A run rarely has more than one model, so the list is short. */
export function addModelUsage(models: readonly ModelUsage[], added: ModelUsage): readonly ModelUsage[] {
  const before = models.find(({ model }) => model === added.model)
  if (before === undefined) return [...models, added]
  const calls = before.calls + added.calls
  const usage = addUsage(before.usage, added.usage)
  const sum = { model: added.model, calls, usage, cost: addCost(before.cost, added.cost) }
  return models.map(each => (each === before ? sum : each))
}
