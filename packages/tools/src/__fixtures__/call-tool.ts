import { isToolOutcome, type Tool, type ToolContext, type ToolOutcome } from '@parley/core'

/** What a model would read after a call. */
export interface CallResult {
  readonly ok: boolean
  readonly text: string
  readonly outcome: Extract<ToolOutcome, { type: 'ok' | 'error' }>
}

interface CallFacts {
  readonly signal?: AbortSignal
  /** `RunFacts.workspace`: the run's own directory. */
  readonly workspace?: string | undefined
}

/** Runs one tool of a set without the engine. */
export async function callTool(
  tools: readonly Tool[],
  name: string,
  { signal = new AbortController().signal, workspace, ...input }: Readonly<Record<string, unknown>> & CallFacts,
): Promise<CallResult> {
  const tool = tools.find(candidate => candidate.name === name)
  if (tool === undefined) throw new Error(`no tool ${name}`)
  const run = { runId: 'r', sessionId: 's', agent: 'a', scope: '', path: [], context: undefined, workspace }
  const context: ToolContext = { signal, callId: 'c', idempotencyKey: 'r/c', progress: () => {}, run }
  const outcome = await tool.execute(input, context)
  if (!isToolOutcome(outcome) || (outcome.type !== 'ok' && outcome.type !== 'error')) throw new Error('no outcome')
  const text = outcome.content.map(part => (part.type === 'text' ? part.text : `<${part.mediaType}>`)).join('\n')
  return { ok: outcome.type === 'ok', text, outcome }
}
