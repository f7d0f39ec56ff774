import { decide, type Action, type ActionOf } from '../journal/decide.ts'
import type { RunContext } from '../run-context/run-context.ts'
import { compact } from '../steps/context/compact.ts'
import { editContext } from '../steps/context/edit-context.ts'
import { handOver } from '../steps/hand-over/hand-over.ts'
import { takeQueued } from '../steps/input/take-queued.ts'
import { noteLimit, reachLimit } from '../steps/limits/record-limit.ts'
import { callModel } from '../steps/model/call-model.ts'
import { checkOutput } from '../steps/output/check-output.ts'
import { continueAnswer } from '../steps/output/continue-answer.ts'
import { runTools } from '../steps/tools/run-tools.ts'
import { abandonTurn, beginTurn, endTurn } from '../steps/turn/turn-hooks.ts'
import { startDurationTimer } from './duration-timer.ts'
import type { DurableHost, Ending } from './durable-host.ts'
import { awaitAnswers, end, release } from './endings.ts'
import { HostedSteps } from './hosted-steps.ts'

/** What a step resolves to: the ending if the driver is done with the run, else nothing. */
type Step<TType extends Action['type']> = (
  run: RunContext,
  action: ActionOf<TType>,
) => Promise<Ending | undefined> | Promise<void> | void

/**
 * The function that performs each action. Each step records what it did in the journal, where the next `decide` reads
 * it.
 */
const STEPS: { readonly [TType in Action['type']]: Step<TType> } = {
  // A turn: a model call, and the tools that its answer asks for.
  'begin-turn': beginTurn,
  'call-model': callModel,
  'run-tools': runTools,
  'end-turn': endTurn,
  // The answer.
  'continue-answer': continueAnswer,
  'check-output': checkOutput,
  // Between turns.
  'take-queued': takeQueued,
  compact,
  'edit-context': editContext,
  'hand-over': handOver,
  'reach-limit': reachLimit,
  'note-limit': noteLimit,
  // The driver is done with the run, unless commands have arrived.
  'await-answers': awaitAnswers,
  release,
  end,
}

/**
 * Drives a new or resumed run until it has an ending: decides on the next action, performs it, and repeats. What a step
 * records becomes durable at the next commit. A step commits before it calls a model or starts a tool, and when the run
 * ends. So the journal explains every external effect, with one transaction per effect.
 * @throws The error that made the journal unwritable: the store failed, or another worker has claimed the run.
 */
export async function drive(run: RunContext, host?: DurableHost): Promise<Ending> {
  const stopTimer = startDurationTimer(run)
  try {
    return await (host === undefined ? loop(run) : host.drive(new HostedSteps(run, host, takeStep)))
  } finally {
    stopTimer()
    await abandonTurn(run)
  }
}

async function loop(run: RunContext): Promise<Ending> {
  for (;;) {
    const ending = await takeStep(run)
    if (ending !== undefined) return ending
  }
}

/**
 * Decides on the next action and performs it. A host that runs each step as a durable operation calls this instead of
 * the loop.
 */
function takeStep(run: RunContext): Promise<Ending | undefined> | undefined {
  const action = decide(run.state, run.policy, run.due)
  const perform = STEPS[action.type] as (run: RunContext, action: Action) => Promise<Ending | undefined> | undefined
  return perform(run, action)
}
