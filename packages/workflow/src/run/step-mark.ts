import { describeError, type ErrorInfo, type Json, type ProviderData, type ToolMessage } from '@parley/core'
import type { StepFailure } from '../definition/workflow.ts'
import { isObject } from '../template/json.ts'

/** `Model.provider` of a workflow. Provider data of this name in the transcript comes back to the workflow model unchanged. */
export const PROVIDER = 'workflow'

/** Provider data that the workflow model adds to each call. */
export interface CallMark {
  /** The run that made the call. The transcript of a session contains calls of several runs. */
  readonly run: string
  /** Fingerprint of the definition that the run started with. */
  readonly definition: string
  readonly step: string
}

export function toCallMark(mark: CallMark): ProviderData {
  return { provider: PROVIDER, data: { ...mark } }
}

/** Reads the mark of a call. `undefined` for a call of another model. */
export function callMarkOf(data: ProviderData | undefined): CallMark | undefined {
  const given = data?.provider === PROVIDER ? data.data : undefined
  if (!isObject(given)) return undefined
  const { run, definition, step } = given
  if (typeof run !== 'string' || typeof definition !== 'string' || typeof step !== 'string') return undefined
  return { run, definition, step }
}

/** Provider data of a failed result. `step` is set if a step inside a child run failed. */
type FailureMark = Omit<StepFailure, 'step'> & { readonly step?: string }

export function toFailureMark(error: ErrorInfo): ProviderData {
  const data: FailureMark =
    error.code === 'step-failed'
      ? { step: error.step, code: error.cause, detail: error.detail }
      : { code: error.code, detail: describeError(error) }
  return { provider: PROVIDER, data: { ...data } }
}

/** Reads the failure of a result. `undefined` for a result that did not pass the workflow's middleware, such as a rejected call. */
export function markedFailure({ content }: ToolMessage, step: string): StepFailure | undefined {
  const [part] = content
  const given: Json | undefined =
    part?.type === 'text' && part.providerData?.provider === PROVIDER ? part.providerData.data : undefined
  if (!isObject(given)) return undefined
  const { code, detail, step: inner } = given
  if (typeof code !== 'string' || typeof detail !== 'string') return undefined
  return { step: typeof inner === 'string' ? inner : step, code, detail }
}
