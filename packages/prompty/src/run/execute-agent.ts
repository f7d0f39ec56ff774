import {
  checkCount,
  messageText,
  ParleyError,
  userMessage,
  type Message,
  type UserMessage,
  type OptionKinds,
} from '@parley/core'
import { createRuntime, type Run, type RunResult } from '@parley/engine'
import type { PromptyAgent } from '../format/prompty-agent.ts'
import { validateInputs, type PromptyInputs } from '../format/validate-inputs.ts'
import { prepareMessages } from '../messages/prepare-messages.ts'
import type { PromptyMessage } from '../format/prompty-message.ts'
import {
  assembleAgent,
  DEFAULT_MAX_ITERATIONS,
  requireModelCalls,
  type AgentOptions,
  type AssembledAgent,
} from './assemble-agent.ts'
import { createTrim, type Compaction } from './create-trim.ts'
import { guardrailReason } from './guardrails.ts'
import type { PromptyEvent, PromptyEventListener } from './prompty-event.ts'
import type { PromptyHost } from '../host/prompty-host.ts'
import { apiTypeOf, wantsStream } from '../host/resolve-provider.ts'
import { createSteering, type Steering } from './steering.ts'
import { failureWith, refusal, toAnswer } from './to-answer.ts'
import { textOf, toPrompt } from './to-prompt.ts'
import { watchAgentRun } from './watch-agent-run.ts'

/** Options of `executeAgent`. */
export interface ExecuteOptions extends AgentOptions {
  /** Values for the template and for bound parameters of tools. @default {} */
  readonly inputs?: PromptyInputs | undefined
  /** Messages to send instead of the rendered template. @default the rendered template */
  readonly messages?: readonly PromptyMessage[] | undefined
  /** Whether answers are streamed. Tools run after the whole answer has arrived. @default `stream` of the file, else false */
  readonly stream?: boolean | undefined
  /** Sends user messages into the run. @default none */
  readonly steering?: Steering | undefined
  /** Summarizes messages that exceed the context budget. @default an excerpt of them */
  readonly compaction?: Compaction | undefined
  /** Called with each event of the run. @default none */
  readonly onEvent?: PromptyEventListener | undefined
}

/** The types of the options of `executeAgent`. */
export const EXECUTE_OPTIONS: OptionKinds<ExecuteOptions> = {
  inputs: 'object',
  messages: 'list',
  stream: 'boolean',
  steering: 'object',
  compaction: 'any',
  onEvent: 'function',
  tools: 'object',
  maxIterations: 'number',
  model: 'model',
  settings: 'object',
  parallelToolCalls: 'boolean',
  guardrails: 'object',
  contextBudget: 'number',
  limits: 'object',
  middleware: 'list',
  onApproval: 'function',
  signal: 'signal',
}

/**
 * Agent mode: renders the file, calls its model, runs the requested tools, and calls the model again until it answers. The model
 * reads errors of tools.
 * @returns The text of the answer, or its data if the file has outputs.
 * @throws ParleyError `limit-reached` with the message `Agent loop exceeded max_iterations (N)` after N model calls without an
 * answer; `cancelled` if the signal is aborted; a `model-…` code if the model fails; `model-content-filter` of the provider
 * `guardrail` if a guardrail denies; `config-invalid` if the host lacks something that the file requires.
 */
export async function executeAgent(
  host: PromptyHost,
  prompt: PromptyAgent,
  options: ExecuteOptions = {},
): Promise<unknown> {
  const { maxIterations = DEFAULT_MAX_ITERATIONS, steering = createSteering(), signal } = options
  checkCount({ maxIterations }, '')
  requireModelCalls(prompt)
  const tell = quietly(options.onEvent)
  const inputs = options.messages === undefined ? validateInputs(prompt, options.inputs) : (options.inputs ?? {})
  const messages = options.messages ?? (await prepareMessages(prompt, { inputs, files: host.files }))
  const stream = options.stream ?? wantsStream(prompt)
  let assembled: AssembledAgent | undefined
  let run: Run | undefined
  const watching = watchAgentRun({
    onEvent: tell,
    steering,
    steer: message => void run?.steer(message),
    known: () => new Set(assembled?.tools.tools.map(({ name }) => name)),
    promptLength: messages.length,
  })
  assembled = await assembleAgent(host, prompt, {
    name: prompt.name ?? 'prompty',
    inputs,
    stream,
    promptOf: (_first, provider) => toPrompt(messages, { provider, apiType: apiTypeOf(prompt) }),
    trim: createTrim(host, { budget: options.contextBudget, compaction: options.compaction, onEvent: tell, signal }),
    options: { ...options, middleware: [watching, ...(options.middleware ?? [])] },
  })
  await using tools = assembled.tools
  void tools
  await using runtime = createRuntime()
  run = runtime.run(assembled.agent, placeholder(messages), { signal })
  return conclude(await run.result, { prompt, agent: assembled, stream, maxIterations, tell })
}

/** The message that stands for the prompt in the run's transcript. */
function placeholder(messages: readonly PromptyMessage[]): UserMessage {
  return userMessage(textOf(messages.findLast(({ role }) => role === 'user')?.content ?? []))
}

interface Ending {
  readonly prompt: PromptyAgent
  readonly agent: AssembledAgent
  readonly stream: boolean
  readonly maxIterations: number
  readonly tell: PromptyEventListener
}

function conclude(result: RunResult, { prompt, agent, stream, maxIterations, tell }: Ending): unknown {
  const end = (event: PromptyEvent, status: 'success' | 'error' | 'cancelled'): void => {
    tell(event)
    tell({ type: 'turn_end', data: { status, iterations: result.turns } })
  }
  const fail = (error: ParleyError): never => {
    end({ type: 'error', data: { message: error.message } }, 'error')
    throw error
  }
  switch (result.status) {
    case 'completed': {
      const { model } = agent
      if (stream && result.finish === 'refusal') return fail(refusal(model.provider, model.id, result.text))
      const response = toAnswer(prompt, lastText(result.messages))
      end({ type: 'done', data: { response } }, 'success')
      return response
    }
    case 'cancelled': {
      const error = new ParleyError({ code: 'cancelled', ...result.reason })
      end({ type: 'cancelled', data: { reason: error.message } }, 'cancelled')
      throw error
    }
    case 'failed': {
      const { error } = result
      const reason = guardrailReason(error)
      if (reason !== undefined) return fail(failureWith(error, `Denied by guardrail: ${reason}`))
      const isIterations = error.code === 'limit-reached' && error.limit === 'turns'
      return fail(
        isIterations
          ? failureWith(error, `Agent loop exceeded max_iterations (${maxIterations})`)
          : new ParleyError(error),
      )
    }
    case 'rejected':
      return fail(new ParleyError({ code: 'input-rejected', filter: result.filter, reason: result.reason }))
    case 'limit':
      return fail(new ParleyError({ code: 'limit-reached', ...result.hit }))
    case 'interrupted':
      return fail(new ParleyError(result.error))
    case 'suspended':
      return fail(
        new ParleyError({
          code: 'internal',
          detail: 'A tool asks permission; executeAgent requires onApproval for it.',
        }),
      )
  }
}

function lastText(messages: readonly Message[]): string {
  const last = messages.findLast(message => message.role === 'assistant')
  return last === undefined ? '' : messageText(last)
}

/** Wraps a listener so that its errors do not break the run. */
function quietly(listener: PromptyEventListener | undefined): PromptyEventListener {
  return event => {
    try {
      listener?.(event)
    } catch {
      // An error of the listener must not change the run.
    }
  }
}
