import { cutText, messageText, ParleyError, type Model, type UserMessage } from '@parley/core'
import type { BranchResult } from './branch.ts'
import { fitJudged } from './fit-judged.ts'
import type { Candidate, Selection } from './selection.ts'

export interface JudgeOptions {
  readonly model: Model
  /** What makes an answer the best. @default correct, complete, and clear */
  readonly instructions?: string | undefined
  /**
   * Most characters of the task and of all answers together. What is longer is shown by its last 80 lines, then by its first and
   * last paragraph, then without its middle; the task before the answers. @default 60_000, or less where the model's window is small
   */
  readonly maxInputChars?: number | undefined
}

const LEAST_CHARS = 100
const MOST_CHARS = 60_000
const INSTRUCTIONS = 'You compare answers to one task. The best one is correct, then complete, then clear.'

/**
 * Lets a model choose. It must reply with the number of one answer and nothing else; a reply that is none is asked for
 * once more, and then the selection fails. With one candidate left it is not asked.
 * @throws ParleyError `config-invalid` when there would be no room to show anything.
 */
export function judge({
  model,
  instructions = INSTRUCTIONS,
  maxInputChars = charsFor(model),
}: JudgeOptions): Selection {
  if (!(maxInputChars >= LEAST_CHARS)) {
    throw new ParleyError({
      code: 'config-invalid',
      path: 'maxInputChars',
      detail: `is ${maxInputChars}, ${LEAST_CHARS} is the least`,
    })
  }
  const agent = { name: 'judge', model, instructions, limits: { maxTurns: 2 } }
  return async function judge(candidates, { input, ask }) {
    const [only] = candidates
    if (candidates.length === 1 && only !== undefined) return only.index
    const question = questionOf(candidates, input, maxInputChars)
    const first = replyOf(await ask(agent, question))
    const chosen = candidates[numberIn(first)]
    if (chosen !== undefined) return chosen.index
    const reminder = `You replied ${JSON.stringify(cutText(first, 200))}, which is not one number from 1 to ${candidates.length}.`
    const second = replyOf(await ask(agent, `${question}\n\n${reminder}`))
    const chosenThen = candidates[numberIn(second)]
    if (chosenThen !== undefined) return chosenThen.index
    return fail(
      `it was asked twice and replied ${JSON.stringify(cutText(second, 200))}, which is no number of an answer.`,
    )
  }
}

function questionOf(candidates: readonly Candidate[], input: string | UserMessage, max: number): string {
  const task = typeof input === 'string' ? input : messageText(input)
  const fitted = fitJudged({ task, answers: candidates.map(({ result }) => result.text) }, max)
  const answers = fitted.answers.map((text, index) => `Answer ${index + 1}:\n${text}`)
  const last = `Reply with the number of the best answer, 1 to ${candidates.length}, and nothing else.`
  return [`Task:\n${fitted.task}`, ...answers, last].join('\n\n')
}

/** Half a window at three characters a token leaves room for instructions, an answer and a second try. */
function charsFor({ info: { contextWindow = Infinity } }: Model): number {
  return Math.max(LEAST_CHARS, Math.min(MOST_CHARS, Math.floor((contextWindow / 2) * 3)))
}

/** The place among the candidates that a reply names; -1 when it is not exactly one number. */
function numberIn(reply: string): number {
  return /^\s*\d+\s*$/.test(reply) ? Number(reply) - 1 : -1
}

function replyOf(result: BranchResult): string {
  if (result.status === 'completed') return result.text
  return fail(
    `its run ended as ${result.status}${result.status === 'failed' ? `: ${new ParleyError(result.error).message}` : ''}.`,
  )
}

function fail(detail: string): never {
  throw new ParleyError({ code: 'selection-failed', strategy: 'judge', detail })
}
