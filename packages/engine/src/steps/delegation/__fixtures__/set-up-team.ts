import type { Clock, Message, ModelInfo, Store } from '@parley/core'
import { scriptedModel, type Script } from '@parley/testing'
import { agentTool, createRuntime, defineAgent, type Agent } from '../../../index.ts'

export interface TeamOptions {
  /** Answers of the lead's model. @default calls `helper` once, then says 'Done.' */
  readonly lead?: Script | undefined
  /** Answers of the helper's model. @default 'Found.' */
  readonly helper?: Script | undefined
  readonly leadAgent?: Partial<Agent> | undefined
  readonly helperAgent?: Partial<Agent> | undefined
  readonly info?: ModelInfo | undefined
  readonly clock?: Clock | undefined
}

/** A call of the helper. */
export const ASK = { toolCalls: [{ name: 'helper', input: { task: 'look' } }] }

/** Creates an agent `lead` with a tool that runs the agent `helper`. */
export function setUpTeam({ lead = [ASK, 'Done.'], helper = ['Found.'], info = {}, clock, ...agents }: TeamOptions = {}) {
  const leadModel = scriptedModel(lead, { id: 'lead', info })
  const helperModel = scriptedModel(helper, { id: 'helper', info })
  const helperAgent = defineAgent({ name: 'helper', model: helperModel, ...agents.helperAgent })
  const leadAgent = defineAgent({
    name: 'lead',
    model: leadModel,
    tools: [agentTool(helperAgent)],
    ...agents.leadAgent,
  })
  const runtimeOn = (store?: Store) =>
    createRuntime({ agents: [leadAgent], store, clock, isWorkerGone: () => true })
  return { leadModel, helperModel, helperAgent, leadAgent, runtimeOn }
}

/** Returns the texts of the tool results. */
export function resultsIn(messages: readonly Message[]): string[] {
  return messages.flatMap(message =>
    message.role === 'tool' ? message.content.map(part => (part.type === 'text' ? part.text : part.mediaType)) : [],
  )
}
