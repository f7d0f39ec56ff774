import { ParleyError, untilAborted, type RunWith } from '@parley/core'
import type { InstructionsFunction } from '../agent/instructions/instructions.ts'
import type { PreparedAgent } from '../agent/prepare-agent.ts'
import type { RunState } from '../journal/run-state.ts'
import { failRun } from './fail-run.ts'
import type { RunJournal } from './run-journal.ts'
import type { Stopper } from './stopper.ts'

interface OpenedRun {
  readonly facts: RunWith<unknown>
  readonly agent: PreparedAgent
  readonly state: RunState
  readonly journal: RunJournal
  readonly stopper: Stopper
  readonly tools: { open(): void | Promise<void> }
}

/**
 * Prepares the agent that answers from now on: evaluates its instructions if they are a function, and asks its tool sources. A
 * text that the journal has is not evaluated again.
 */
export function openAgent(run: OpenedRun): void | Promise<void> {
  const { evaluate } = run.agent.instructions
  if (evaluate === undefined || run.state.evaluated !== undefined) return run.tools.open()
  return evaluateInstructions(run, evaluate)
}

async function evaluateInstructions(run: OpenedRun, evaluate: InstructionsFunction): Promise<void> {
  const { facts, journal, stopper } = run
  try {
    const text = await untilAborted(textOf(facts, evaluate), stopper.signal)
    journal.record({ type: 'instructions.evaluated', agent: facts.agent, text })
  } catch (error) {
    // A run that was stopped ends for another reason.
    if (!stopper.stopped) failRun(journal, toFailure(error, facts.agent), 'instructions')
    return
  }
  await run.tools.open()
}

async function textOf(facts: RunWith<unknown>, evaluate: InstructionsFunction): Promise<string> {
  const text: unknown = await evaluate(facts)
  if (typeof text === 'string') return text
  const path = `agents.${facts.agent}.instructions`
  throw new ParleyError({ code: 'config-invalid', path, detail: `returned ${typeof text}; must return a text` })
}

function toFailure(error: unknown, agent: string): unknown {
  if (ParleyError.is(error)) return error
  const detail = error instanceof Error ? error.message : String(error)
  return new Error(`the instructions of the agent '${agent}' threw: ${detail}`, { cause: error })
}
