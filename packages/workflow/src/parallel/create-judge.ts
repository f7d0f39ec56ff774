import {
  checkOptions,
  checkNumber,
  cutText,
  messageText,
  ParleyError,
  type Model,
  type UserMessage,
  type OptionKinds,
} from '@parley/core'
import type { BranchResult } from './branch.ts'
import { fitJudged } from './fit-judged.ts'
import type { Candidate, Selection } from './selection.ts'

export interface JudgeOptions {
  /** The model that chooses. */
  readonly model: Model
  /** Describes the best answer. @default an answer that is correct, then complete, then clear */
  readonly instructions?: string | undefined
  /**
   * Maximum number of characters of the task and all answers together. Longer texts are shortened in steps, the task first: to
   * their last 80 lines, to their first and last paragraph, then in the middle.
   * @default 60_000, or less if the model's window is small
   */
  readonly maxInputChars?: number | undefined
}

const LEAST_CHARS = 100
const MOST_CHARS = 60_000
const INSTRUCTIONS = 'You compare answers to one task. The best one is correct, then complete, then clear.'

const OPTIONS: OptionKinds<JudgeOptions> = {
  model: 'model!',
  instructions: 'string',
  maxInputChars: 'number',
}

/**
 * Creates a selection that lets a model choose. The model must reply with the number of one answer and nothing else. After an
 * invalid reply the model is asked once more. A second invalid reply fails the selection. If only one candidate is left, the
 * model is not asked.
 * @throws ParleyError `config-invalid` if `maxInputChars` is below 100.
 */
export function createJudge(options: JudgeOptions): Selection {
  checkOptions('judge', options, OPTIONS)
  const { model, instructions = INSTRUCTIONS, maxInputChars = charsFor(model) } = options
  checkNumber({ path: 'maxInputChars', value: maxInputChars, min: LEAST_CHARS })
  const agent = { name: 'judge', model, instructions, limits: { maxTurns: 2 } }
  return async function createJudge(candidates, { input, ask }) {
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
      `the judge was asked twice and replied ${JSON.stringify(cutText(second, 200))} instead of the number of an answer.`,
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

/**
 * Returns how many characters fit into half of the context window, at three characters a token. The rest is for instructions,
 * the reply and a second question.
 */
function charsFor({ info: { contextWindow = Infinity } }: Model): number {
  return Math.max(LEAST_CHARS, Math.min(MOST_CHARS, Math.floor((contextWindow / 2) * 3)))
}

/** Returns the index of the candidate that the reply names, or -1 if the reply is not exactly one number. */
function numberIn(reply: string): number {
  return /^\s*\d+\s*$/.test(reply) ? Number(reply) - 1 : -1
}

function replyOf(result: BranchResult): string {
  if (result.status === 'completed') return result.text
  const cause = result.status === 'failed' ? `: ${new ParleyError(result.error).message}` : ''
  return fail(`the judge's run ended as ${result.status}${cause}.`)
}

function fail(detail: string): never {
  throw new ParleyError({ code: 'selection-failed', strategy: 'judge', detail })
}
