import { checkNumber, messageText, type Message } from '@parley/core'
import type { PromptyAgent } from '../format/prompty-agent.ts'
import type { PromptyEventListener } from './prompty-event.ts'
import type { PromptyHost } from '../host/prompty-host.ts'
import { invokePrompt } from './run-messages.ts'
import type { Prompt } from './to-prompt.ts'
import { excerptOf, trimContext } from './trim-context.ts'

/** Summarizes dropped messages: a function, or a prompt whose first input is the conversation as text. */
export type Compaction = ((dropped: readonly Message[]) => string | Promise<string>) | PromptyAgent

export interface CreateTrimOptions {
  /** Maximum number of characters in a request. @default none: nothing is trimmed */
  readonly budget?: number | undefined
  readonly compaction?: Compaction | undefined
  readonly onEvent: PromptyEventListener
  readonly signal?: AbortSignal | undefined
}

/**
 * Makes prompts fit a budget of characters. Dropped messages are summarized once.
 * @throws ParleyError `config-invalid` if the budget is not a number above 0.
 */
export function createTrim(
  host: PromptyHost,
  { budget, compaction, onEvent, signal }: CreateTrimOptions,
): ((prompt: Prompt) => Promise<readonly Message[]>) | undefined {
  if (budget === undefined) return undefined
  checkNumber({ path: 'contextBudget', value: budget })
  const summaries = new Map<number, string>()

  async function compact(dropped: readonly Message[], how: Compaction): Promise<string | undefined> {
    onEvent({ type: 'compaction_start', data: { dropped: dropped.length } })
    try {
      const summary = typeof how === 'function' ? await how(dropped) : await askPrompt(how, dropped)
      if (summary.trim() !== '') {
        onEvent({ type: 'compaction_complete', data: { summary } })
        return summary
      }
      onEvent({ type: 'compaction_failed', data: { message: 'The summary is empty.' } })
    } catch (error) {
      signal?.throwIfAborted()
      onEvent({ type: 'compaction_failed', data: { message: error instanceof Error ? error.message : String(error) } })
    }
    return undefined
  }

  async function askPrompt(prompt: PromptyAgent, dropped: readonly Message[]): Promise<string> {
    const text = dropped.map(message => `${message.role}: ${messageText(message)}`).join('\n')
    const name = prompt.inputs[0]?.name ?? 'conversation'
    const answer = await invokePrompt(host, prompt, { inputs: { [name]: text }, signal })
    return typeof answer === 'string' ? answer : JSON.stringify(answer)
  }

  const summarize = async (dropped: readonly Message[]): Promise<string> => {
    const known = summaries.get(dropped.length)
    if (known !== undefined) return known
    const made = compaction === undefined ? undefined : await compact(dropped, compaction)
    const summary = made ?? excerptOf(dropped, budget)
    summaries.set(dropped.length, summary)
    return summary
  }
  return prompt => trimContext(prompt, { budget, summarize })
}
