import type { RunFacts } from '@parley/core'

/** Decides about a text: what a person sends, what a model answers, or a tool call. */
export interface Guard {
  readonly name: string
  /** What it throws blocks: a guard that breaks has not said yes. */
  check(text: string, subject: GuardSubject): GuardVerdict | Promise<GuardVerdict>
}

/** What the text is. */
export interface GuardSubject {
  readonly kind: 'input' | 'output' | 'tool'
  readonly run: RunFacts
  readonly signal: AbortSignal
  /** The call, when `kind` is `tool`; the text is its name and arguments as JSON. */
  readonly tool?: { readonly name: string; readonly input: unknown } | undefined
}

export type GuardVerdict =
  | 'pass'
  | { readonly type: 'block'; readonly reason: string }
  /** Goes on with another text; for a tool call, with another input. */
  | { readonly type: 'replace'; readonly text?: string | undefined; readonly input?: unknown }
