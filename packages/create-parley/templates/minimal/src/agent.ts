import { defineTool, type Model } from '@parley/core'
import { defineAgent } from '@parley/engine'
import { calculator } from '@parley/tools/math'
import * as z from 'zod'

const countWords = defineTool({
  name: 'count_words',
  description: 'Counts the words of a text.',
  input: z.object({ text: z.string() }),
  effect: 'read',
  execute: ({ text }) => ({ words: text.split(/\s+/).filter(word => word !== '').length }),
})

export function defineAssistant(model: Model) {
  return defineAgent({
    name: 'assistant',
    model,
    instructions: 'You are a concise assistant. Use your tools to calculate and to count.',
    tools: [calculator, countWords],
  })
}
