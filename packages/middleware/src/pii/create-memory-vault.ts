import { checkOptions, checkNumber, type OptionKinds } from '@parley/core'
import type { PiiVault } from './pii-vault.ts'
import { RecentMap } from './recent-map.ts'
import { TokenTable } from './token-table.ts'

export interface MemoryVaultOptions {
  /** Maximum number of partitions. If there are more, the least recently used ones are removed. @default 10_000 */
  readonly maxPartitions?: number | undefined
}

const OPTIONS: OptionKinds<MemoryVaultOptions> = {
  maxPartitions: 'number',
}

/**
 * Creates an in-memory vault. Its values are lost when this process ends, so the placeholders of a run that another process
 * resumes cannot be restored.
 * @throws ParleyError `config-invalid` if a number is invalid.
 */
export function createMemoryVault(options: MemoryVaultOptions = {}): PiiVault {
  checkOptions('createMemoryVault', options, OPTIONS)
  const { maxPartitions = 10_000 } = options
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
