import { describeIncomplete, type Json, type Model } from '@parley/core'
import { defineAgent, type Agent } from '@parley/engine'
import type { ScorerContext } from '../scorers/sample.ts'

export interface JudgeAgent {
  readonly model: Model | string
  readonly instructions: string
  /** Fields of the verdict besides its reason, as JSON Schema. */
  readonly verdict: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** The agent of a judge. It must give a reason before its verdict, which makes verdicts better. */
export function createJudgeAgent({ model, instructions, verdict }: JudgeAgent): Agent {
  const properties = { reason: { type: 'string' }, ...verdict }
  const output = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
  return defineAgent({ name: 'judge', model, instructions, output, context: 'none' })
}

/**
 * Asks a judge.
 * @param key Identifies the question within the scorer.
 * @throws Error if the judge gives no verdict, which makes the score an error.
 */
export async function askJudge(
  agent: Agent,
  { input, key }: { readonly input: string; readonly key: string },
  { delegate, signal }: ScorerContext,
): Promise<Json> {
  const result = await delegate({ agent, input, key, signal })
  if (result.status === 'completed') return result.output ?? null
  throw new Error(`the judge gave no verdict: ${describeIncomplete(result)}`)
}
