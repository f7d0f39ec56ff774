// #region tool
import { defineTool, ParleyError, toolError } from '@parley/core'

const stock = defineTool({
  name: 'stock',
  description: 'Returns how many pieces of an article are in the warehouse.',
  input: { type: 'object', properties: { article: { type: 'string' } }, required: ['article'] },
  effect: 'read',
  execute: input => {
    const { article } = input as { article: string }
    return article === 'A-7' ? { pieces: 12 } : toolError(`Article '${article}' is unknown.`)
  },
})
console.log(stock.name, stock.effect) // → stock read

try {
  defineTool({ ...stock, name: 'stock level' })
} catch (error) {
  if (ParleyError.is(error, 'config-invalid')) console.log(error.info.path) // → tools.stock level.name
}
// #endregion
