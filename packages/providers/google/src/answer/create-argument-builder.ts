/** Puts arguments together that arrive in pieces, each for a place named by a JSON path. */
export interface ArgumentBuilder {
  /** One element of `partialArgs`. Pieces of one text append. */
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
        // A piece without a value only says whether more comes.
      } else if (VALUES.some(name => name in piece)) place[last] = piece['numberValue'] ?? piece['boolValue'] ?? null
      openPath = willContinue === true ? jsonPath : undefined
    },
  }
}

/** Walks to the object or list that holds the last key, making what is missing on the way. */
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

/** `$.a['b'][0]` → `a`, `b`, 0. */
function parsePath(path: unknown): readonly Key[] {
  if (typeof path !== 'string') return []
  return [...path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\[(['"])(.*?)\3\]/g)].map(([, name, index, , quoted]) =>
    index === undefined ? (name ?? quoted ?? '') : Number(index),
  )
}
