/** Assembles arguments that arrive in pieces. Each piece names its place by a JSON path. */
export interface ArgumentBuilder {
  /** Adds one element of `partialArgs`. The pieces of one string are appended. */
  add(piece: Readonly<Record<string, unknown>>): void
  readonly value: Readonly<Record<string, unknown>>
}

type Key = string | number
type Container = Record<Key, unknown>

const VALUES = ['numberValue', 'boolValue', 'nullValue']

export function createArgumentBuilder(): ArgumentBuilder {
  const value: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  let openPath: unknown

  return {
    value,
    add(piece) {
      const { jsonPath, willContinue } = piece
      const keys = parsePath(jsonPath)
      const last = keys.at(-1)
      if (last === undefined) return
      const place = containerAt(value, keys)
      const { stringValue } = piece
      if (typeof stringValue === 'string') {
        const before = openPath === jsonPath && typeof place[last] === 'string' ? place[last] : ''
        place[last] = before + stringValue
        // A piece without a value only states whether more pieces follow.
      } else if (VALUES.some(name => name in piece)) place[last] = piece['numberValue'] ?? piece['boolValue'] ?? null
      openPath = willContinue === true ? jsonPath : undefined
    },
  }
}

/** Returns the object or list that contains the last key. Creates missing objects and lists on the way. */
function containerAt(root: Record<string, unknown>, keys: readonly Key[]): Container {
  let place: Container = root
  for (const [index, key] of keys.slice(0, -1).entries()) {
    const below = place[key]
    const next = typeof below === 'object' && below !== null ? below : newContainer(keys[index + 1])
    place[key] = next
    place = next as Container
  }
  return place
}

function newContainer(key: Key | undefined): object {
  return typeof key === 'number' ? [] : (Object.create(null) as object)
}

/** Splits a path: `$.a['b'][0]` → `a`, `b`, 0. */
function parsePath(path: unknown): readonly Key[] {
  if (typeof path !== 'string') return []
  return [...path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\[(['"])(.*?)\3\]/g)].map(([, name, index, , quoted]) =>
    index === undefined ? (name ?? quoted ?? '') : Number(index),
  )
}
