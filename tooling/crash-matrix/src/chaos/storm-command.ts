/** A command that the storm sends to a worker. */
export type StormCommand =
  | { readonly type: 'start'; readonly runId: string; readonly agent: string; readonly sessionId: string }
  | {
      readonly type: 'decide'
      readonly runId: string
      readonly approvalId: string
      readonly verdict: 'approved' | 'rejected'
    }
  | { readonly type: 'submit'; readonly runId: string; readonly callId: string; readonly text: string }
  | { readonly type: 'cancel' | 'steer' | 'resume'; readonly runId: string }

export interface StormRequest {
  readonly id: number
  readonly command: StormCommand
}

/** The answer to a request. */
export interface StormAnswer {
  readonly id: number
  /** The code of the refusal. `undefined` for a command that was accepted. */
  readonly refused: string | undefined
}
