import type { ApprovalRequest, FilePart, ToolMessage, Usage } from '@parley/core'
import type { RunEnding, RunStep } from '../kit/run-step.ts'

type PassedType = 'begin' | 'turn' | 'text' | 'reasoning' | 'call-start' | 'call-delta' | 'progress' | 'decision'

/**
 * A step of a run in the order in which chat protocols report it. Each fact is reported once. Adjacent `text` steps
 * belong together until `prose-end`, and so do adjacent `reasoning` steps.
 */
export type ChatStep =
  | Extract<RunStep, { readonly type: PassedType }>
  /** The text or reasoning written since the last `prose-end` is complete. */
  | { readonly type: 'prose-end' }
  | { readonly type: 'file'; readonly file: FilePart }
  /** The call is complete. `delta` is the part of `arguments` that no `call-delta` has reported. */
  | {
      readonly type: 'call'
      readonly callId: string
      readonly name: string
      readonly arguments: string
      readonly delta: string
      /** Present if the client executes the call. */
      readonly execution?: 'client' | undefined
    }
  /** The model began this call and never finished it. */
  | { readonly type: 'call-broken'; readonly callId: string }
  | {
      readonly type: 'result'
      readonly callId: string
      readonly name: string
      readonly message: ToolMessage
      readonly isError: boolean
      /** Whether the call did not run because the request for its approval was not approved. */
      readonly isRefused: boolean
    }
  | { readonly type: 'approval'; readonly request: ApprovalRequest }
  /** The tools of the turn have run. */
  | { readonly type: 'turn-end'; readonly turn: number }
  | { readonly type: 'end'; readonly ending: ChatEnding; readonly usage: Usage; readonly at: number }

/** How a run ended. A released run is `suspended` if approvals are pending; otherwise it is `failed`. */
export type ChatEnding = Exclude<RunEnding, { readonly status: 'released' }>
