import {
  defineMiddleware,
  messageText,
  toolCallsOf,
  type Middleware,
  type RunEvent,
  type RunEventOf,
  type RunEventType,
  type ToolCallPart,
} from '@parley/core'
import type { PromptyEventListener } from './prompty-event.ts'
import { toolErrorText } from './tool-error-texts.ts'
import type { Steering } from './steering.ts'

export interface WatchOptions {
  readonly onEvent: PromptyEventListener
  readonly steering: Steering
  /** Sends a steering message to the run. */
  readonly steer: (message: string) => void
  /** Names of the existing tools. They are known when the run has started. */
  readonly known: () => ReadonlySet<string>
  /** Number of messages in the prompt. */
  readonly promptLength: number
}

/** Converts a run's events to events of the format, and sends steering messages when no tool call is open. */
export function watchAgentRun(options: WatchOptions): Middleware {
  return defineMiddleware('prompty-watch', () => {
    const watch = createWatch(options)
    return { event: event => watch(event) }
  })
}

function createWatch({ onEvent, steering, steer, known, promptLength }: WatchOptions): (event: RunEvent) => void {
  const open = new Map<string, ToolCallPart>()
  const started = new Set<string>()
  let count = promptLength

  function startCall({ callId, name, arguments: text }: ToolCallPart): void {
    started.add(callId)
    onEvent({ type: 'tool_call_start', data: { callId, name, arguments: text } })
  }

  function endCall(event: Extract<RunEvent, { type: 'tool.ended' }>): void {
    const call = open.get(event.callId)
    open.delete(event.callId)
    count++
    const neverRan = event.error?.code === 'tool-cancelled' && !started.has(event.callId)
    if (call !== undefined && !neverRan) {
      if (!started.has(call.callId)) startCall(call)
      const unreached = event.error?.code === 'tool-unknown' || event.error?.code === 'tool-arguments-unparsable'
      const result = (unreached ? toolErrorText(call, known()) : undefined) ?? messageText(event.message)
      const data = { callId: call.callId, name: call.name, result }
      onEvent({ type: 'tool_result', data })
      onEvent({ type: 'tool_call_complete', data })
    }
    if (open.size > 0) return
    onEvent({ type: 'messages_updated', data: { count } })
    for (const message of steering.drain()) {
      onEvent({ type: 'status', data: { message: 'Injecting steering message' } })
      steer(message)
    }
  }

  const handlers: { readonly [TType in RunEventType]?: (event: RunEventOf<TType>) => void } = {
    'run.started': () => {
      onEvent({ type: 'turn_start' })
      onEvent({ type: 'status', data: { message: 'Starting agent loop' } })
    },
    'model.started': ({ turn }) => onEvent({ type: 'llm_start', data: { iteration: turn } }),
    'model.called': ({ turn }) => onEvent({ type: 'llm_complete', data: { iteration: turn } }),
    'model.retrying': ({ attempt, delayMs, error, fallback }) => {
      const other = fallback === undefined ? {} : { fallback }
      onEvent({ type: 'retry', data: { attempt, delayMs, error, ...other } })
    },
    'text.delta': ({ text }) => onEvent({ type: 'token', data: { token: text } }),
    'reasoning.delta': ({ text }) => onEvent({ type: 'thinking', data: { token: text } }),
    'message.appended': ({ source, message }) => {
      if (source === 'input' || source === 'note') return
      count++
      if (message.role === 'assistant') for (const call of toolCallsOf(message)) open.set(call.callId, call)
      if (source === 'steering') onEvent({ type: 'messages_updated', data: { count } })
    },
    'tool.started': ({ callId }) => {
      const call = open.get(callId)
      if (call !== undefined) startCall(call)
    },
    'tool.ended': endCall,
  }
  // TypeScript does not relate the handler's key to the type of the event.
  return event => handlers[event.type]?.(event as never)
}
