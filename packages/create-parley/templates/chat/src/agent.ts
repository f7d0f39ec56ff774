import type { Model } from '@parley/core'
import { defineAgent } from '@parley/engine'
import { calculator } from '@parley/tools/math'

export function defineAssistant(model: Model) {
  return defineAgent({
    name: 'assistant',
    model,
    instructions: 'You are a friendly and concise assistant.',
    tools: [calculator],
  })
}
