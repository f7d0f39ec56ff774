import { ParleyError, type AssistantMessage, type Cost, type Model, type ModelRequest, type Usage } from '@parley/core'
import { AnswerBuilder } from '../../run-context/model-stream/answer-builder.ts'
import { openStream } from '../../run-context/model-stream/open-stream.ts'
import { costOfAnswer } from '../../run-context/model-stream/cost-of-answer.ts'
import { readStream } from '../../run-context/model-stream/read-stream.ts'
import type { RunContext } from '../../run-context/run-context.ts'

export interface ModelQuestion {
  readonly turn: number
  readonly model: Model
  readonly request: ModelRequest
  /** Called with the usage of the call, however it ends. */
  readonly spend: (usage: Usage, cost: Cost | undefined) => void
}

/**
 * A model call outside the conversation, through the agent's middleware. Its deltas are not shown.
 * @throws ParleyError `model-…`, or the reason of a stop.
 */
export async function askModel(
  run: RunContext,
  { turn, model, request, spend }: ModelQuestion,
): Promise<AssistantMessage> {
  const answer = new AnswerBuilder()
  const { provider, id, info } = model
  try {
    const call = { turn, request, signal: run.stopper.signal }
    await readStream(openStream(run, call, model), run.stopper, answer)
  } finally {
    spend(answer.usage, costOfAnswer(answer, info, run.clock.now()))
  }
  if (answer.finish === undefined) {
    const detail = 'The stream ended without a finish reason.'
    throw new ParleyError({ code: 'model-stream', provider, model: id, detail })
  }
  return answer.message(`${provider}/${id}`, () => new Set())
}
