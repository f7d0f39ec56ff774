import type { RunFacts } from '../run/run-facts.ts'

/** Whether a call may run: decided for each call, after its input is validated. */
export type Permission = PermissionRule | ((input: unknown, run: RunFacts) => PermissionRule)

export type PermissionRule =
  | 'allow'
  /** Never runs; the model is told. */
  | 'deny'
  /** Waits for a person, anybody. */
  | 'ask'
  /** Runs only for a principal with one of the roles. */
  | { readonly effect: 'allow'; readonly roles: readonly string[] }
  | {
      readonly effect: 'ask'
      /** Who may decide. @default anybody */
      readonly roles?: readonly string[] | undefined
      /** @default a sentence with the tool's name and input */
      readonly prompt?: string | undefined
      /** @default never */
      readonly expiresInMs?: number | undefined
    }
