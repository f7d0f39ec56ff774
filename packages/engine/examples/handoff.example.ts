// #region handoff
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'

const billing = defineAgent({
  name: 'billing',
  instructions: 'You answer questions about bills.',
  model: scriptedModel(['Your bill is paid.']),
})
const front = defineAgent({
  name: 'front',
  instructions: 'You find out what it is about.',
  model: scriptedModel([{ toolCalls: [{ name: 'transfer_to_billing' }] }]),
  handoffs: [billing],
})

const result = await createRuntime({ agents: [front] }).invoke('front', 'Is my bill paid?')
console.log(result.agent, '-', result.text) // → billing - Your bill is paid.
// #endregion
