import { describeModelContract } from './describe-model-contract.ts'
import type { ModelScenario } from './model-scenario.ts'
import type { ScriptedAnswer } from './script-step.ts'
import { scriptedModel } from './scripted-model.ts'

describeModelContract('scriptedModel', {
  open: scenario => ({ model: scriptedModel(() => answerOf(scenario)) }),
})

function answerOf({ status, text, toolCalls, usage, ending }: ModelScenario): ScriptedAnswer {
  if (status === 429) return { error: { code: 'model-rate-limited', provider: 'scripted', detail: 'Slow down.' } }
  switch (ending) {
    case 'complete':
      return { text: text.join(''), usage, ...(toolCalls.length > 0 && { toolCalls }) }
    case 'cut':
      return {
        text: text[0],
        error: { code: 'model-stream', provider: 'scripted', detail: 'The connection closed within the answer.' },
      }
    case 'stalled':
      return { text: text[0], hang: true }
    case 'silent':
      return { until: new Promise(() => {}) }
  }
}
