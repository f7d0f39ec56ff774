import type { SubjectResult } from '../test-subject.ts'
import { pairCalls, type ToolEvidence } from './judge-tool.ts'

/** Collects what all runs showed about each tool of each agent. */
export function gatherEvidence(results: readonly SubjectResult[]): readonly ToolEvidence[] {
  const known = new Map<string, ToolEvidence>()
  for (const { clean, findings, tried } of results) {
    const pairs = clean === undefined ? [] : pairCalls(clean)
    const keys = new Set(pairs.map(([{ call }]) => keyOf(call)))
    for (const key of keys) {
      const own = pairs.filter(([{ call }]) => keyOf(call) === key)
      const { agent, tool, effect: declared } = own[0]?.[0].call ?? { agent: '', tool: '', effect: 'once' as const }
      const before = known.get(key)
      known.set(key, {
        agent,
        tool,
        declared,
        findings: [...(before?.findings ?? []), ...findings.filter(({ call }) => keyOf(call) === key)],
        clean: [...(before?.clean ?? []), ...own],
        bearsRepetition: tried.get(tool) ?? before?.bearsRepetition,
      })
    }
  }
  return [...known.values()]
}

function keyOf({ agent, tool }: { readonly agent: string; readonly tool: string }): string {
  return `${agent}/${tool}`
}
