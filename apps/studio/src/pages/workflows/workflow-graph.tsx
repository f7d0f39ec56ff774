import type { WorkflowInfo, WorkflowNode } from '@parley/runs-api'
import { Background, Controls, ReactFlow, type Edge, type Node } from '@xyflow/react'
import '@xyflow/react/dist/style.css'
import { useMemo } from 'react'
import type { Entry } from '@parley/core'
import { useRunFeed } from '../../client/use-run-feed.ts'
import { layoutGraph, type PlacedNode } from '../../run-model/graph-layout.ts'
import { toStepStates, type StepState } from '../../run-model/step-states.ts'
import { StepNode, type StepData } from './step-node.tsx'

export interface WorkflowGraphProps {
  readonly workflow: WorkflowInfo
  readonly runId: string | undefined
}

/** A workflow as a graph. With a run, each step shows its state in that run, live. */
export function WorkflowGraph({ workflow, runId }: WorkflowGraphProps) {
  return runId === undefined ? (
    <Drawing workflow={workflow} entries={NONE} />
  ) : (
    <LiveGraph key={runId} {...{ workflow, runId }} />
  )
}

const NONE: readonly Entry[] = []
const TYPES = { step: StepNode }

function LiveGraph({ workflow, runId }: { readonly workflow: WorkflowInfo; readonly runId: string }) {
  const { entries } = useRunFeed(runId)
  return <Drawing workflow={workflow} entries={entries} />
}

function Drawing({ workflow, entries }: { readonly workflow: WorkflowInfo; readonly entries: readonly Entry[] }) {
  const placed = useMemo(() => layoutGraph(workflow), [workflow])
  const states = useMemo(() => toStepStates(entries), [entries])
  const nodes = placed.map(place => toNode(place, stateOf(place.node, workflow, states)))
  const edges = workflow.edges.map(({ from, to, label }): Edge => {
    return { id: `${from}>${to}>${label ?? ''}`, source: from, target: to, ...(label === undefined ? {} : { label }) }
  })
  return (
    <div className="graph card">
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={TYPES}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        fitView
        fitViewOptions={{ maxZoom: 1 }}
        proOptions={{ hideAttribution: true }}
        aria-label={`Graph of ${workflow.name}`}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  )
}

/** The call of a step that repeats one other step is the call of that step. */
function stateOf(
  { id, parent }: WorkflowNode,
  { nodes }: WorkflowInfo,
  states: ReadonlyMap<string, StepState>,
): StepState | undefined {
  const isOnly = parent !== undefined && nodes.filter(node => node.parent === parent).length === 1
  return states.get(id) ?? (isOnly ? states.get(parent) : undefined)
}

function toNode({ node, x, y, width, height }: PlacedNode, step: StepState | undefined): Node<StepData> {
  return {
    id: node.id,
    type: 'step',
    position: { x, y },
    width,
    height,
    data: { label: node.label, kind: node.type, step },
    ariaLabel: `${node.label}, ${node.type}, ${step?.state ?? 'not begun'}`,
    ...(node.parent === undefined ? {} : { parentId: node.parent, extent: 'parent' as const }),
  }
}
