import type { EntryOf, Message, ModelRequest } from '@parley/core'

/** Restores the request of a `request.kept` entry. `transcript` is the run's: `runtime.transcript(runId)`. */
export function restoreRequest(kept: EntryOf<'request.kept'>, transcript: readonly Message[]): ModelRequest {
  const { system, view, tools, toolChoice, settings } = kept
  const messages = view.flatMap(part =>
    part.type === 'written' ? part.messages : transcript.slice(part.from, part.to),
  )
  return {
    system,
    messages,
    tools,
    ...(toolChoice === undefined ? {} : { toolChoice }),
    settings,
  }
}
