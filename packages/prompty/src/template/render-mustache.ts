import { isTruthy, ownValue, valueText } from './inert-value.ts'
import { parseMustache, type MustacheNode } from './parse-mustache.ts'
import type { SegmentWriter } from './segment-writer.ts'

/** The value of a section, in which names are looked up. A missing name is looked up in `outer`. */
interface Context {
  readonly value: unknown
  /** The input that the value comes from. `undefined` for the inputs themselves. */
  readonly source: string | undefined
  readonly outer: Context | undefined
}

interface Found {
  readonly value: unknown
  readonly source: string
}

/**
 * Renders a template without HTML escaping, because a prompt is plain text.
 * @throws ParleyError `config-invalid` if the template is invalid.
 */
export function renderMustache(source: string, inputs: ReadonlyMap<string, unknown>, writer: SegmentWriter): void {
  function renderAll(nodes: readonly MustacheNode[], context: Context | undefined): void {
    for (const node of nodes) {
      writer.step()
      if (node.type === 'text') writer.literal(node.text)
      else if (node.type === 'variable') {
        const { value, source: origin } = lookup(node.name, context, inputs)
        writer.interpolation(valueText(value), [origin])
      } else renderSection(node, context)
    }
  }

  function renderSection(node: Extract<MustacheNode, { type: 'section' }>, context: Context | undefined): void {
    const { value, source: origin } = lookup(node.name, context, inputs)
    if (node.inverted) {
      if (!isShown(value)) renderAll(node.body, context)
      return
    }
    if (!isShown(value)) return
    const items = Array.isArray(value) ? value.map((_item, index) => ownValue(value, index)) : [value]
    for (const item of items) {
      writer.step()
      renderAll(node.body, { value: item, source: origin, outer: context })
    }
  }

  renderAll(parseMustache(source), undefined)
}

/** Whether a section is shown. An empty map still shows its section. */
function isShown(value: unknown): boolean {
  return isTruthy(value) || (typeof value === 'object' && value !== null && !Array.isArray(value))
}

function lookup(name: string, context: Context | undefined, inputs: ReadonlyMap<string, unknown>): Found {
  if (name === '.') return { value: context?.value, source: context?.source ?? '' }
  const [first = '', ...rest] = name.split('.')
  for (let scope = context; scope !== undefined; scope = scope.outer) {
    const { value, source } = scope
    if (source === undefined || typeof value !== 'object' || value === null || !Object.hasOwn(value, first)) continue
    return { value: follow(ownValue(value, first), rest), source }
  }
  return { value: follow(inputs.get(first), rest), source: first }
}

function follow(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce((holder, key) => ownValue(holder, /^\d+$/.test(key) ? Number(key) : key), value)
}
