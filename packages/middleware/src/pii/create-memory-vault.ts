import type { PiiVault } from './pii-vault.ts'

interface Partition {
  readonly tokens: Map<string, string>
  readonly values: Map<string, string>
  readonly counts: Map<string, number>
}

/** A vault that lives and dies with this process. `maxPartitions` are kept, those used last. */
export function createMemoryVault({
  maxPartitions = 10_000,
}: { readonly maxPartitions?: number | undefined } = {}): PiiVault {
  const partitions = new Map<string, Partition>()

  function open(name: string): Partition {
    const partition = partitions.get(name) ?? { tokens: new Map(), values: new Map(), counts: new Map() }
    partitions.delete(name)
    partitions.set(name, partition)
    for (const oldest of partitions.keys()) {
      if (partitions.size <= maxPartitions) break
      partitions.delete(oldest)
    }
    return partition
  }

  return {
    token(name, kind, value) {
      const { tokens, values, counts } = open(name)
      const known = tokens.get(`${kind} ${value}`)
      if (known !== undefined) return known
      const count = (counts.get(kind) ?? 0) + 1
      const token = `[${kind.toUpperCase()}_${count}]`
      counts.set(kind, count)
      tokens.set(`${kind} ${value}`, token)
      values.set(token, value)
      return token
    },
    value: (name, token) => partitions.get(name)?.values.get(token),
  }
}
