import type { Principal } from '@parley/core'

/** On whose behalf a request acts. */
export interface Client {
  readonly name: string
  /** Every read, cancel and decision is confined to it. */
  readonly scope: string
  /** Absent on a server without keys. */
  readonly principal?: Principal | undefined
}
