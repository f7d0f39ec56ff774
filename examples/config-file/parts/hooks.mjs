/** Exports of this module are hooks by their names: see `@parley/middleware/hooks`. */
export function beforeTool(call) {
  if (call.tool.name === 'look_up_order' && call.input.number < 0) return { block: 'orders have positive numbers' }
}
