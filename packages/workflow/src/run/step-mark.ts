import { describeError, type ErrorInfo, type Json, type ProviderData, type ToolMessage } from '@parley/core'
import type { StepFailure } from '../definition/workflow.ts'
import { isObject } from '../template/json.ts'

/** `Model.provider` of a workflow: what it writes into a transcript beside the words comes back to it unchanged. */
export const PROVIDER = 'workflow'

/** What the model of a workflow leaves with each call. */
export interface CallMark {
  /** The run that made it: a session's transcript holds those of several. */
  readonly run: string
  /** Of the definition the run began with. */
  readonly definition: string
  readonly step: string
}

export function toCallMark(mark: CallMark): ProviderData {
  return { provider: PROVIDER, data: { ...mark } }
}

/** Undefined for a call that no workflow made. */
export function callMarkOf(data: ProviderData | undefined): CallMark | undefined {
  const given = data?.provider === PROVIDER ? data.data : undefined
  if (!isObject(given)) return undefined
  const { run, definition, step } = given
  if (typeof run !== 'string' || typeof definition !== 'string' || typeof step !== 'string') return undefined
  return { run, definition, step }
}

/** What a failed call leaves with its words. The step is set when it is another than the call's. */
type FailureMark = Omit<StepFailure, 'step'> & { readonly step?: string }

export function toFailureMark(error: ErrorInfo): ProviderData {
  const data: FailureMark =
    error.code === 'step-failed'
      ? { step: error.step, code: error.cause, detail: error.detail }
      : { code: error.code, detail: describeError(error) }
  return { provider: PROVIDER, data: { ...data } }
}

/** The failure a result tells of as data; undefined when it has but words, because it went past the workflow's middleware. */
export function markedFailure({ content }: ToolMessage, step: string): StepFailure | undefined {
  const [part] = content
  const given: Json | undefined =
    part?.type === 'text' && part.providerData?.provider === PROVIDER ? part.providerData.data : undefined
  if (!isObject(given)) return undefined
  const { code, detail, step: inner } = given
  if (typeof code !== 'string' || typeof detail !== 'string') return undefined
  return { step: typeof inner === 'string' ? inner : step, code, detail }
}
