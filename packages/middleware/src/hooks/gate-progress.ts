import type { Json, RunFacts, Tool } from '@parley/core'

export interface ProgressUpdate {
  readonly callId: string
  readonly name: string
  readonly update: Json
  readonly run: RunFacts
}

/** Whether watchers may see this update. The tool's result is the same either way. */
export type ProgressGate = (progress: ProgressUpdate) => boolean

/** The same tool, whose progress is shown only where `gate` says so. */
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
