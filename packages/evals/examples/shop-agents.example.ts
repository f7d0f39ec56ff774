// #region agents
import { appendFileSync } from 'node:fs'
import { defineTool } from '@parley/core'
import { defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'

const charge = defineTool({
  name: 'charge',
  description: 'Charges the card of the customer.',
  input: { type: 'object' },
  effect: 'idempotent', // … but it charges again if a resumed run calls it again
  execute: () => {
    appendFileSync('charges.txt', '5 EUR\n')
    return 'charged'
  },
})
const model = scriptedModel([{ toolCalls: [{ name: 'charge' }] }, 'You paid 5 EUR.'])
export const shop = defineAgent({ name: 'shop', model, tools: [charge] })
// #endregion
console.log(shop.name) // → shop
