import { setTimeout as sleep } from 'node:timers/promises'
import {
  defineTool,
  messageText,
  toolPending,
  type Message,
  type Model,
  type Tool,
  type ToolContext,
} from '@parley/core'
import { agentTool, defineAgent, type Agent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { HELPERS, KINDS, MAX_TURNS, type Kind } from './kinds.ts'
import type { Ledger } from './ledger.ts'

/** The agents of all kinds. Their tools and models write to the ledger. */
export function stormAgents(ledger: Ledger): readonly Agent[] {
  const tools = toolsOf(ledger)
  const delegating = [
    agentTool('helper', { name: 'help' }),
    agentTool('signing-helper', { name: 'help_signing' }),
    agentTool('client-helper', { name: 'help_client' }),
    agentTool('killing-helper', { name: 'help_killing' }),
  ]
  const agentOf = (kind: Kind, more: readonly Tool[]): Agent =>
    defineAgent({
      name: kind.name,
      description: kind.name,
      model: modelOf(kind, ledger),
      tools: [...tools, ...more],
      limits: { maxTurns: kind.maxTurns ?? MAX_TURNS, maxTokens: kind.maxTokens ?? 10_000 },
    })
  return [...KINDS.map(kind => agentOf(kind, delegating)), ...HELPERS.map(kind => agentOf(kind, []))]
}

/** A model without a memory: its answer depends on the messages since the last input, whose text is the tag of the run. */
function modelOf({ say, poison }: Kind, ledger: Ledger): Model {
  return scriptedModel(({ messages }) => {
    const start = messages.findLastIndex(isInput)
    const tag = start < 0 ? 'unknown' : messageText(messages[start] as Message).replace(/^.*\[(.*)\].*$/s, '$1')
    ledger.write({ type: 'call', tag })
    const turn = messages.slice(start).filter(({ role }) => role === 'assistant').length
    if (poison === 'kills its process' && turn > 0) die(ledger)
    const step = say(turn)
    if (typeof step === 'string' || step.toolCalls === undefined) return step
    // A sub-agent receives the tag of its parent run.
    return {
      ...step,
      toolCalls: step.toolCalls.map(call =>
        call.name.startsWith('help') ? { ...call, input: { task: `[${tag}/${call.callId}]` } } : call,
      ),
    }
  })
}

/**
 * Whether a message is the input of a run. An input names its run in brackets; steering messages and notes of the
 * engine do not.
 */
function isInput(message: Message): boolean {
  return message.role === 'user' && messageText(message).includes('[')
}

function die(ledger: Ledger): void {
  ledger.write({ type: 'crash', pid: process.pid })
  process.kill(process.pid, 'SIGKILL')
}

function toolsOf(ledger: Ledger): readonly Tool[] {
  const tool = (name: string, fields: Partial<Tool>, after?: (context: ToolContext) => unknown): Tool =>
    defineTool({
      name,
      description: name,
      input: { type: 'object' },
      ...fields,
      execute: async (_, context) => {
        ledger.write({ type: 'effect', key: context.idempotencyKey })
        await sleep(2)
        return (await after?.(context)) ?? `${name} is done`
      },
    })
  return [
    tool('look', { effect: 'read' }),
    tool('put', { effect: 'idempotent' }),
    tool('pay', { effect: 'once' }),
    tool('sign', { effect: 'once', permission: 'ask' }),
    tool('sign_soon', { effect: 'once', permission: { effect: 'ask', expiresInMs: 500 } }),
    tool('ask_client', { effect: 'idempotent' }, () => toolPending()),
    tool('nap', { effect: 'idempotent' }, ({ signal }) => sleep(400, 'rested', { signal })),
    tool('kill', { effect: 'read' }, () => die(ledger)),
    tool('break', { effect: 'once' }, () => {
      throw new Error('The tool is broken.')
    }),
  ]
}
