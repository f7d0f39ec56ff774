import type { Json } from '@parley/core'
import type { Step } from '../definition/step.ts'
import { isObject } from '../template/json.ts'

/** The meaning of names in the templates of a P-A-R definition. */
export interface ParNames {
  /** Types of the earlier steps in the same sequence. */
  readonly before: Step['type'][]
  /** Type of the step before the sequence. */
  readonly outer: Step['type'] | undefined
  /**
   * Parley's names of the items of the surrounding maps. The key is the path of the list: in P-A-R it also means the
   * current item.
   */
  readonly items: ReadonlyMap<string, string>
  /** Collects names that become required inputs. */
  readonly unknown: Set<string>
}

/** The meaning of names at the start of a definition. */
export function noNames(): ParNames {
  return { before: [], outer: undefined, items: new Map(), unknown: new Set() }
}

/** Rewrites `{{result_2.output.x}}` to `{{results.2.x}}`. In P-A-R, the result of an agent is an object with `text` and `output`. */
export function rewriteText(text: string, names: ParNames): string {
  return text.replaceAll(/\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}/g, (_, path: string) => `{{${rewritePath(path, names)}}}`)
}

export function rewriteData(value: Json, names: ParNames): Json {
  if (typeof value === 'string') return rewriteText(value, names)
  if (Array.isArray(value)) return value.map(item => rewriteData(item, names))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, rewriteData(each, names)]))
}

export function rewritePath(path: string, names: ParNames): string {
  const item = itemOf(path, names)
  if (item !== undefined) return item
  const [root = '', ...way] = path.split('.')
  if (root === 'results') return path
  const [, number] = /^result_(\d+)$/.exec(root) ?? []
  if (root === 'result') return within('result', way, names.before.at(-1) ?? names.outer)
  if (number !== undefined) return within(`results.${number}`, way, names.before[Number(number)])
  names.unknown.add(root)
  return path
}

function itemOf(path: string, { items }: ParNames): string | undefined {
  for (const [over, as] of items) {
    if (path === over || path.startsWith(`${over}.`)) return `${as}${path.slice(over.length)}`
  }
  return undefined
}

function within(root: string, way: readonly string[], kind: Step['type'] | undefined): string {
  const [first] = way
  const inner = kind === 'agent' && (first === 'text' || first === 'output') ? way.slice(1) : way
  return [root, ...inner].join('.')
}
