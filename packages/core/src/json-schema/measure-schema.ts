import { schemaFault } from './check.ts'

/** Largest number of values in a schema. A larger schema would take too long to compile. */
const MOST_VALUES = 50_000
const MOST_DEPTH = 200
const MOST_TEXT = 4_000_000

/**
 * Checks that a schema is small enough to be compiled. Also refuses objects that contain themselves.
 * @throws ParleyError `config-invalid`.
 */
export function measureSchema(schema: unknown): void {
  let values = 0
  let text = 0
  const open: (readonly [value: unknown, depth: number])[] = [[schema, 0]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, depth] = next
    if (typeof value === 'string') text += value.length
    if (++values > MOST_VALUES || text > MOST_TEXT)
      schemaFault('', `is too large: it has more than ${MOST_VALUES} parts`)
    if (typeof value !== 'object' || value === null) continue
    if (depth > MOST_DEPTH) schemaFault('', `is nested more than ${MOST_DEPTH} deep`)
    const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
    if (inner.length > MOST_VALUES) schemaFault('', `is too large: it has more than ${MOST_VALUES} parts`)
    for (const item of inner) open.push([item, depth + 1])
  }
}
