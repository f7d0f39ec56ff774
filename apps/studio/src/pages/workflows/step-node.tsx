import { Handle, Position, type Node, type NodeProps } from '@xyflow/react'
import type { StepState } from '../../run-model/step-states.ts'

/** What the node of a step shows. */
export interface StepData extends Record<string, unknown> {
  readonly label: string
  readonly kind: string
  readonly step: StepState | undefined
}

/** A step of a workflow. */
export function StepNode({ data }: NodeProps<Node<StepData>>) {
  const { label, kind, step } = data
  return (
    <div className="step" data-state={step?.state}>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <strong>{label}</strong>
      <span className="small quiet">
        {kind}
        {step === undefined ? '' : step.begun > 1 ? ` · ${step.ended} of ${step.begun}` : ` · ${WORDS[step.state]}`}
      </span>
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </div>
  )
}

const WORDS = { open: 'at work', ok: 'done', failed: 'failed' } as const
