import { checkNumber } from '@parley/core'
import type { PiiVault } from './pii-vault.ts'
import { RecentMap } from './recent-map.ts'
import { TokenTable } from './token-table.ts'

export interface MemoryVaultOptions {
  /** Those used last are kept. @default 10_000 */
  readonly maxPartitions?: number | undefined
}

/** A vault that lives and dies with this process: a run that another one resumes has placeholders nobody can restore. */
export function createMemoryVault({ maxPartitions = 10_000 }: MemoryVaultOptions = {}): PiiVault {
  checkNumber({ path: 'memoryVault.maxPartitions', value: maxPartitions, whole: true })
  const tables = new RecentMap(maxPartitions, () => new TokenTable())
  return {
    token(partition, kind, value) {
      const table = tables.get(partition)
      return table.tokenOf(kind, value) ?? table.add(kind, value)
    },
    value: (partition, token) => tables.get(partition).valueOf(token),
    forget: partition => tables.delete(partition),
  }
}
