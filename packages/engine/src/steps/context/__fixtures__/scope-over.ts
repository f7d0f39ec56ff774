import { messageText, userMessage, type Message } from '@parley/core'
import { fakeClock, scriptedModel } from '@parley/testing'
import { createTokenCounter, defineAgent, type Agent } from '../../../index.ts'
import { initialState, type RunState } from '../../../journal.ts'
import { createModelDirectory } from '../../../agent/model-directory.ts'
import { viewOf } from '../../../journal/overlay.ts'
import { RUN_PORTS } from '../../../loop/run-ports.ts'
import { DrivenRun } from '../../../run-context/driven-run.ts'
import type { RunContext } from '../../../run-context/run-context.ts'
import { compact } from '../compact.ts'
import { createAgentRegistry } from '../../../agent/agent-registry.ts'
import { AnswerRoom } from '../../../run-context/model-stream/answer-room.ts'
import type { RuntimePorts } from '../../../run-context/runtime-ports.ts'

/** Counts one token per character, and the tokens that the wire format adds to each message. */
export const charCounter = createTokenCounter(text => text.length)

export interface ScopeOptions extends Partial<Agent> {
  readonly runStarts?: readonly number[] | undefined
  /** The provider's last token count, and the number of messages that it covered. */
  readonly lastInput?: RunState['lastInput'] | undefined
  readonly contextWindow?: number | undefined
}

/** Creates a run that has these messages and whose next action is a model call. */
export function scopeOver(messages: readonly Message[], options: ScopeOptions = {}): RunContext {
  const { runStarts = [0], lastInput, contextWindow, ...agent } = options
  const model = scriptedModel(() => 'The summary.', { info: { contextWindow } })
  const facts = { runId: 'r', sessionId: 's', agent: 'a', scope: 'default', path: [], context: undefined }
  const { agents, ...rest } = context()
  const prepared = agents.get(defineAgent({ name: 'a', model, tokenCounter: charCounter, ...agent }))
  const base = initialState(messages, { overlay: undefined, runStarts, floor: 0, overflowTurn: undefined })
  const state = { ...base, ...(lastInput === undefined ? {} : { lastInput }) }
  return new DrivenRun({ facts, agent: prepared, runtime: { agents, ...rest }, ports: RUN_PORTS, state })
}

/** The ports of a runtime that knows no agents, because nothing here runs. */
function context(): RuntimePorts {
  const nobody = (): never => {
    throw new Error('this run has no child runs')
  }
  return {
    agents: createAgentRegistry([], { models: createModelDirectory({}, []), tool: nobody, defaults: {}, quota: undefined }),
    store: undefined,
    clock: fakeClock(),
    worker: 'w',
    children: { start: nobody, resume: nobody },
    captureRequests: 'none',
    answerRoom: new AnswerRoom(),
    isWorkerGone: () => false,
    onUnreadFailure: () => {},
    sinkFor: () => ({ streams: () => false, wants: () => false, publish: () => {} }),
  }
}

/** Whether the run's policy would compact before the next model call. */
export function isDue({ prompt: { view } }: RunContext): boolean {
  return view?.policy.due(view) === true
}

/** Performs the compaction step. @returns Whether other messages are sent to the model now. */
export async function compactOnce(
  run: RunContext,
  action: { readonly turn: number; readonly trigger: 'due' | 'overflow' },
): Promise<boolean> {
  const before = JSON.stringify(viewOf(run.state))
  await compact(run, { type: 'compact', ...action })
  return JSON.stringify(viewOf(run.state)) !== before
}

/** Returns a user message and the answer to it. */
export function exchange(question: string, answer: string): Message[] {
  return [userMessage(question), { role: 'assistant', content: [{ type: 'text', text: answer }] }]
}

/** An answer that calls a tool, and the tool's result. */
export function toolTurn(callId: string, output: string): Message[] {
  return [
    { role: 'assistant', content: [{ type: 'tool-call', callId, name: 'look', arguments: '{}' }] },
    { role: 'tool', callId, name: 'look', content: [{ type: 'text', text: output }] },
  ]
}

/** The messages as one line each. */
export function textsOf(messages: readonly Message[]): string[] {
  return messages.map(message => `${message.role}: ${messageText(message)}`)
}
