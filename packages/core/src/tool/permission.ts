import type { RunFacts } from '../run/run-facts.ts'

/** Permission of a tool's calls. A function decides each call, after its input has been validated. */
export type Permission = PermissionRule | ((input: unknown, run: RunFacts) => PermissionRule)

/** Whether a call may be executed. */
export type PermissionRule =
  | 'allow'
  /** The call is not executed, and the model is informed. */
  | 'deny'
  /** The run is suspended until any principal approves the call. */
  | 'ask'
  /** The call is executed only if the run's principal has one of the roles. */
  | { readonly effect: 'allow'; readonly roles: readonly string[] }
  | {
      readonly effect: 'ask'
      /** Roles of which the approver must have one. @default any principal may decide */
      readonly roles?: readonly string[] | undefined
      /** Question for the approver. @default a sentence with the tool's name and input */
      readonly prompt?: string | undefined
      /** Milliseconds after which the request is rejected as timed out. @default never */
      readonly expiresInMs?: number | undefined
    }
