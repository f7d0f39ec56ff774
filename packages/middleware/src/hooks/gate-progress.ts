import type { Json, RunFacts, Tool } from '@parley/core'

/** A progress update of a tool call. */
export interface ProgressUpdate {
  readonly callId: string
  /** Name of the tool. */
  readonly name: string
  readonly update: Json
  readonly run: RunFacts
}

/** Returns whether readers of the run may see this update. It does not affect the tool's result. */
export type ProgressGate = (progress: ProgressUpdate) => boolean

/** Wraps a tool so that its progress is shown only if `gate` returns `true`. */
export function gateProgress<TInput, TOutput>(tool: Tool<TInput, TOutput>, gate: ProgressGate): Tool<TInput, TOutput> {
  return {
    ...tool,
    execute: (input, context) =>
      tool.execute(input, {
        ...context,
        progress: update => {
          const { callId, run } = context
          if (gate({ callId, name: tool.name, update, run })) context.progress(update)
        },
      }),
  }
}
