import type { ImportEdge } from './import-edges.ts'
import type { Violation } from './violation.ts'

/** Returns one violation for each group of files that import each other, directly or through other files. */
export function checkCycles(edges: readonly ImportEdge[]): readonly Violation[] {
  const targets = Map.groupBy(edges, edge => edge.from)
  return findGroups(targets).map(group => {
    const members = new Set(group)
    const [first = ''] = group
    const cycle = findShortestCycle(first, edge => members.has(edge.to), targets)
    const rest = group.filter(file => !cycle.some(edge => edge.from === file))
    const also = rest.length === 0 ? '' : ` These files are in the same cycle: ${rest.join(', ')}.`
    const path = [...cycle.map(edge => edge.from), first].join(' → ')
    const message = `Import cycle: ${path}.${also} Move what these files share into a file that imports none of them.`
    return { rule: 'cycle', file: first, line: cycle[0]?.line ?? 1, message }
  })
}

type Targets = ReadonlyMap<string, readonly ImportEdge[]>

/**
 * Returns the strongly connected groups of files (Tarjan's algorithm), each sorted. A single file is a group only if it
 * imports itself.
 */
function findGroups(targets: Targets): readonly (readonly string[])[] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const groups: string[][] = []

  function visit(file: string): number {
    const number = order.size
    order.set(file, number)
    let low = number
    stack.push(file)
    for (const { to } of targets.get(file) ?? []) {
      if (!order.has(to)) low = Math.min(low, visit(to))
      else if (stack.includes(to)) low = Math.min(low, lowest.get(to) ?? order.get(to) ?? low)
    }
    lowest.set(file, low)
    if (low === number) groups.push(stack.splice(stack.indexOf(file)).toSorted())
    return low
  }

  for (const file of [...targets.keys()].toSorted()) if (!order.has(file)) visit(file)
  return groups.filter(([first = '', second]) => second !== undefined || importsItself(first, targets))
}

function importsItself(file: string, targets: Targets): boolean {
  return (targets.get(file) ?? []).some(({ to }) => to === file)
}

/** Returns the shortest chain of imports that leads from the file back to the file. Searches breadth first. */
function findShortestCycle(
  start: string,
  accepts: (edge: ImportEdge) => boolean,
  targets: Targets,
): readonly ImportEdge[] {
  let paths: (readonly ImportEdge[])[] = [[]]
  const seen = new Set<string>()
  while (paths.length > 0) {
    const longer: (readonly ImportEdge[])[] = []
    for (const path of paths) {
      for (const edge of (targets.get(path.at(-1)?.to ?? start) ?? []).filter(accepts)) {
        if (edge.to === start) return [...path, edge]
        if (!seen.has(edge.to)) longer.push([...path, edge])
        seen.add(edge.to)
      }
    }
    paths = longer
  }
  return []
}
