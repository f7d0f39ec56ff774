import { ParleyError, type AssistantMessage, type ErrorInfo, type Message } from '@parley/core'

/** The decision of a guardrail. If allowed, `rewrite` replaces the checked value. */
export interface GuardrailVerdict<TRewrite> {
  readonly allowed: boolean
  /** Why the value is not allowed. @default no reason is given */
  readonly reason?: string | undefined
  readonly rewrite?: TRewrite | undefined
}

type Verdict<TRewrite> = GuardrailVerdict<TRewrite> | Promise<GuardrailVerdict<TRewrite>>

/** Checks of requests, answers and tool calls, all optional. */
export interface Guardrails {
  /** Checks the messages before each model call. A denial ends the run. */
  readonly input?: ((messages: readonly Message[]) => Verdict<readonly Message[]>) | undefined
  /** Checks the answer of each model call, before its tools run. A denial ends the run. A rewrite replaces the text. */
  readonly output?: ((message: AssistantMessage) => Verdict<string>) | undefined
  /** Checks the arguments of each tool call. A denied call does not run, and the model reads the reason. */
  readonly tool?:
    | ((name: string, input: Readonly<Record<string, unknown>>) => Verdict<Readonly<Record<string, unknown>>>)
    | undefined
}

const PROVIDER = 'guardrail'

/** A guardrail's denial as the failure of the model call. */
export function guardrailRefusal(reason: string): ParleyError {
  return new ParleyError({ code: 'model-content-filter', provider: PROVIDER, detail: reason })
}

/** Returns the reason if the error is a guardrail's denial; otherwise `undefined`. */
export function guardrailReason(error: ErrorInfo): string | undefined {
  return error.code === 'model-content-filter' && error.provider === PROVIDER ? error.detail : undefined
}
