import { evaluateJinja, sourcesOf } from './evaluate-jinja.ts'
import { isTruthy, ownValue, valueText } from './inert-value.ts'
import type { JinjaExpression } from './jinja-expression.ts'
import { boundScope, inputScope, type JinjaScope } from './jinja-scope.ts'
import { parseJinja, type JinjaNode } from './parse-jinja.ts'
import type { SegmentWriter } from './segment-writer.ts'
import { templateFault } from './template-fault.ts'

/** Renders a template. @throws ParleyError `config-invalid` if the template or a value is invalid. */
export function renderJinja(source: string, inputs: ReadonlyMap<string, unknown>, writer: SegmentWriter): void {
  const nodes = parseJinja(source)

  function renderAll(list: readonly JinjaNode[], scope: JinjaScope): void {
    for (const node of list) {
      writer.step()
      render(node, scope)
    }
  }

  function render(node: JinjaNode, scope: JinjaScope): void {
    switch (node.type) {
      case 'text':
        return writer.literal(node.text)
      case 'output': {
        const text = valueText(evaluate(node.expression, scope, node.at))
        const sources = sourcesOf(node.expression, scope)
        return isConstant(node.expression) ? writer.literal(text) : writer.interpolation(text, sources)
      }
      case 'if': {
        const branch = node.branches.find(({ condition }) => isTruthy(evaluate(condition, scope, 0)))
        return renderAll(branch?.body ?? node.otherwise, scope)
      }
      case 'for':
        return renderFor(node, scope)
    }
  }

  function renderFor(node: Extract<JinjaNode, { type: 'for' }>, scope: JinjaScope): void {
    const items = itemsOf(evaluate(node.items, scope, node.at))
    if (items === undefined) throw templateFault(source, node.at, "'for' requires a list, a map or a string.")
    if (items.length === 0) return renderAll(node.otherwise, scope)
    const [origin] = sourcesOf(node.items, scope)
    items.forEach((value, index) => {
      writer.step()
      const last = index === items.length - 1
      const loop = { index: index + 1, index0: index, first: index === 0, last, length: items.length }
      const bound = new Map([
        ['loop', { value: loop as unknown, source: undefined }],
        [node.name, { value, source: origin }],
      ])
      renderAll(node.body, boundScope(scope, bound))
    })
  }

  function evaluate(expression: JinjaExpression, scope: JinjaScope, at: number): unknown {
    try {
      return evaluateJinja(expression, { scope, charge: steps => writer.step(steps) })
    } catch (error) {
      if (error instanceof RangeError) throw templateFault(source, at, `${error.message}.`)
      throw error
    }
  }

  renderAll(nodes, inputScope(inputs))
}

function itemsOf(value: unknown): readonly unknown[] | undefined {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.map((_item, index) => ownValue(value, index))
  if (typeof value === 'string') return Array.from(value)
  return typeof value === 'object' ? Object.keys(value) : undefined
}

function isConstant(expression: JinjaExpression): boolean {
  return expression.type === 'constant'
}
