import { ParleyError, type AssistantMessage, type ErrorInfo, type Message } from '@parley/core'

/** What a guardrail says. With `rewrite`, the call goes on with that instead. */
export interface GuardrailVerdict<TRewrite> {
  readonly allowed: boolean
  /** Why not. */
  readonly reason?: string | undefined
  readonly rewrite?: TRewrite | undefined
}

type Verdict<TRewrite> = GuardrailVerdict<TRewrite> | Promise<GuardrailVerdict<TRewrite>>

export interface Guardrails {
  /** Before each model call. A refusal ends the run. */
  readonly input?: ((messages: readonly Message[]) => Verdict<readonly Message[]>) | undefined
  /** After each model call, before its tools run. A refusal ends the run; a rewrite replaces the text. */
  readonly output?: ((message: AssistantMessage) => Verdict<string>) | undefined
  /** Before each tool call. A refused call is not run, and the model is told why. */
  readonly tool?:
    | ((name: string, input: Readonly<Record<string, unknown>>) => Verdict<Readonly<Record<string, unknown>>>)
    | undefined
}

const WHO = 'guardrail'

/** A guardrail's refusal as the failure of the model call it forbids. */
export function guardrailRefusal(reason: string): ParleyError {
  return new ParleyError({ code: 'model-content-filter', provider: WHO, detail: reason })
}

/** The reason of a guardrail's refusal; undefined for any other failure. */
export function guardrailReason(error: ErrorInfo): string | undefined {
  return error.code === 'model-content-filter' && error.provider === WHO ? error.detail : undefined
}
