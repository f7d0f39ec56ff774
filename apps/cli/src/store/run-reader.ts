import type { Store } from '@parley/core'

/** What commands read runs from: a database, or a server. */
export type RunReader = Pick<Store, 'run' | 'runs' | 'read'>
