import { messageText, type ModelPricing, type ModelRequest } from '@parley/core'
import { scriptedModel, type ScriptedModel, type ScriptStep } from '@parley/testing'

const PRICES: ModelPricing = { input: 1.25, output: 10, cacheRead: 0.125 }

/**
 * A model of the demo. It answers from the conversation alone, so that any process can continue its runs, and takes about `delayMs`
 * for an answer.
 */
export function demoModel(answer: (facts: ConversationFacts) => ScriptStep, id = 'demo-large', delayMs = 0): ScriptedModel {
  return scriptedModel(
    request => {
      const facts = factsOf(request)
      const step = answer(facts)
      const written = typeof step === 'string' ? { text: step } : step
      const input = 900 + request.messages.length * 140
      const output = Math.ceil((written.text?.length ?? 40) / 4)
      const usage = { input, output, cacheRead: request.messages.length > 1 ? Math.round(input * 1.6) : 0 }
      // Answers that all take the same time would look made up.
      const share = 0.6 + ((facts.question.length + facts.results * 3) % 8) / 10
      return { usage, delayMs: delayMs * share, chunkSize: 24, ...written }
    },
    { provider: 'demo', id, info: { pricing: PRICES, contextWindow: 128_000 } },
  )
}

/** What a model of the demo decides by. */
export interface ConversationFacts {
  /** The last message of the user. */
  readonly question: string
  /** Number of tool results after that message. */
  readonly results: number
  /** Text of the last tool result. */
  readonly result: string
  /** Number of messages of the user. */
  readonly questions: number
}

function factsOf({ messages }: ModelRequest): ConversationFacts {
  const asked = messages.findLastIndex(message => message.role === 'user')
  const question = messages[asked]
  const results = messages.slice(asked + 1).filter(message => message.role === 'tool')
  return {
    question: question === undefined ? '' : messageText(question),
    results: results.length,
    result: results.at(-1) === undefined ? '' : messageText(results.at(-1) ?? { role: 'system', content: '' }),
    questions: messages.filter(message => message.role === 'user').length,
  }
}
