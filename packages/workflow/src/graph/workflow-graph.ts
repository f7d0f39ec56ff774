import type { JsonSchemaObject } from '@parley/core'
import { itemId, rescueId, roundId, stepId } from '../compile/step-id.ts'
import type { Step } from '../definition/step.ts'
import type { Workflow } from '../definition/workflow.ts'

/** A workflow as a graph. */
export interface WorkflowGraph {
  /** JSON Schema of the inputs: the `variables` of a run. */
  readonly inputSchema: JsonSchemaObject
  /** A step comes before the steps that it contains. */
  readonly nodes: readonly WorkflowNode[]
  readonly edges: readonly WorkflowEdge[]
}

/** A step. */
export interface WorkflowNode {
  /**
   * Id of the step, with `[]` and `#` instead of the numbers of items and rounds. The call that executes the step has this id
   * with the numbers. In a `map` of several steps, another call for each item starts the child run of the item: `drafts[0]`.
   */
  readonly id: string
  readonly type: Step['type']
  /** Name of the step, or of its agent, tool or workflow. */
  readonly label: string
  /** Id of the step that contains this one. */
  readonly parent?: string | undefined
}

/** `to` begins after `from`. */
export interface WorkflowEdge {
  readonly from: string
  readonly to: string
  /** When the edge is taken, if that is not always so. */
  readonly label?: string | undefined
}

/** Returns the steps of a workflow as a graph. Steps of workflows that it runs are in their own graphs. */
export function workflowGraph({ steps, inputs = {} }: Workflow): WorkflowGraph {
  const nodes: WorkflowNode[] = []
  const edges: WorkflowEdge[] = []

  function addStep(step: Step, id: string, parent: string | undefined): void {
    nodes.push({ id, type: step.type, label: labelOf(step), ...(parent === undefined ? {} : { parent }) })
    for (const { label, list, place, isOnly = false } of innerLists(step, id)) {
      const ids = list.map((inner, index) => (isOnly ? place : stepId(place, inner.name ?? `${index}`)))
      for (const [index, inner] of list.entries()) {
        const to = ids[index] ?? place
        const from = step.type === 'parallel' ? id : (ids[index - 1] ?? id)
        edges.push({ from, to, ...(from === id && label !== undefined ? { label } : {}) })
        addStep(inner, to, id)
      }
    }
  }

  for (const [index, step] of steps.entries()) {
    const idOf = (at: number): string => steps[at]?.name ?? `${at}`
    if (index > 0) edges.push({ from: idOf(index - 1), to: idOf(index) })
    addStep(step, idOf(index), undefined)
  }
  return { inputSchema: schemaOf(inputs), nodes, edges }
}

interface InnerList {
  readonly label?: string | undefined
  readonly list: readonly Step[]
  /** The place of the list, which the ids of its steps begin with. */
  readonly place: string
  /** Whether the only step has the place itself as its id. */
  readonly isOnly?: boolean | undefined
}

function innerLists(step: Step, id: string): readonly InnerList[] {
  const { onFailure } = step
  const rescue =
    typeof onFailure === 'object' ? [{ label: 'on failure', list: onFailure.run, place: rescueId(id) }] : []
  return [...ownLists(step, id), ...rescue]
}

function ownLists(step: Step, id: string): readonly InnerList[] {
  switch (step.type) {
    case 'sequence':
    case 'parallel':
      return [{ list: step.steps, place: id }]
    case 'if':
      return [
        { label: 'then', list: step.steps, place: stepId(id, 'then') },
        { label: 'else', list: step.else ?? [], place: stepId(id, 'else') },
      ]
    case 'map':
      return [{ label: 'each', list: step.steps, place: itemId(id, ''), isOnly: step.steps.length === 1 }]
    case 'repeat':
      return [{ label: 'round', list: step.steps, place: roundId(id, '') }]
    case 'approval':
      return [
        { label: 'rejected', list: step.onRejected ?? [], place: stepId(id, 'rejected') },
        { label: 'timed out', list: step.onTimeout ?? [], place: stepId(id, 'late') },
      ]
    case 'agent':
    case 'tool':
    case 'workflow':
      return []
  }
}

function labelOf(step: Step): string {
  if (step.name !== undefined) return step.name
  if (step.type === 'agent') return step.agent
  if (step.type === 'tool') return step.tool
  return step.type === 'workflow' ? step.workflow : step.type
}

function schemaOf(inputs: NonNullable<Workflow['inputs']>): JsonSchemaObject {
  const entries = Object.entries(inputs)
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([name, input]) => [name, input.default === undefined ? {} : { default: input.default }]),
    ),
    required: entries.flatMap(([name, input]) => (input.default === undefined ? [name] : [])),
    additionalProperties: false,
  }
}
