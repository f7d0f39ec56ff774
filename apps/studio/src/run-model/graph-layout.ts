import type { WorkflowEdge, WorkflowNode } from '@parley/runs-api'

/** A step with its place. Places of a step inside another count from the corner of that step. */
export interface PlacedNode {
  readonly node: WorkflowNode
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

type Graph = { readonly nodes: readonly WorkflowNode[]; readonly edges: readonly WorkflowEdge[] }

const WIDTH = 200
const HEIGHT = 52
const GAP_X = 36
const GAP_Y = 44
const PAD = 16
const HEAD = 60

interface Size {
  readonly width: number
  readonly height: number
}

/** Places the steps of a workflow from top to bottom: a step stands below every step that it follows. */
export function layoutGraph(graph: Graph): readonly PlacedNode[] {
  return placeChildren(graph, undefined).placed
}

function placeChildren(graph: Graph, parent: string | undefined): Size & { readonly placed: readonly PlacedNode[] } {
  const children = graph.nodes.filter(node => node.parent === parent)
  const inner = new Map(children.map(node => [node.id, placeChildren(graph, node.id)]))
  const sizes = new Map(
    children.map(node => {
      const box = inner.get(node.id)
      const hasInner = box !== undefined && box.placed.length > 0
      return [
        node.id,
        hasInner ? { width: Math.max(WIDTH, box.width), height: box.height } : { width: WIDTH, height: HEIGHT },
      ]
    }),
  )
  const rows = rowsOf(children, graph.edges)
  const widths = rows.map(row => row.reduce((sum, node) => sum + (sizes.get(node.id)?.width ?? 0) + GAP_X, -GAP_X))
  const widest = Math.max(0, ...widths)
  const placed: PlacedNode[] = []
  let y = parent === undefined ? 0 : HEAD
  for (const [index, row] of rows.entries()) {
    let x = (parent === undefined ? 0 : PAD) + (widest - (widths[index] ?? 0)) / 2
    let tallest = 0
    for (const node of row) {
      const size = sizes.get(node.id) ?? { width: WIDTH, height: HEIGHT }
      placed.push({ node, x, y, ...size }, ...(inner.get(node.id)?.placed ?? []))
      x += size.width + GAP_X
      tallest = Math.max(tallest, size.height)
    }
    y += tallest + GAP_Y
  }
  const bottom = rows.length === 0 ? 0 : y - GAP_Y
  return {
    placed,
    width: widest + (parent === undefined ? 0 : 2 * PAD),
    height: bottom + (parent === undefined ? 0 : PAD),
  }
}

/** The steps by their distance from the beginning. A circle does not push its steps down for ever. */
function rowsOf(nodes: readonly WorkflowNode[], edges: readonly WorkflowEdge[]): readonly (readonly WorkflowNode[])[] {
  const ids = new Set(nodes.map(node => node.id))
  const inside = edges.filter(edge => ids.has(edge.from) && ids.has(edge.to))
  const depth = new Map(nodes.map(node => [node.id, 0]))
  for (let round = 0; round < nodes.length; round += 1) {
    let isDone = true
    for (const { from, to } of inside) {
      const next = Math.min((depth.get(from) ?? 0) + 1, nodes.length - 1)
      if (next <= (depth.get(to) ?? 0)) continue
      depth.set(to, next)
      isDone = false
    }
    if (isDone) break
  }
  const rows: WorkflowNode[][] = []
  for (const node of nodes) (rows[depth.get(node.id) ?? 0] ??= []).push(node)
  return rows.filter(row => row !== undefined)
}
