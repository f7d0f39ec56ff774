import type { Json, JsonSchemaObject, ToolEffect } from '@parley/core'

/** An agent that the server knows: `GET /agents`. */
export interface AgentInfo {
  readonly name: string
  readonly description?: string | undefined
  /** Name of the model, as `provider/id`. */
  readonly model?: string | undefined
  /** Text of the instructions. Absent if they are a function or a template. */
  readonly instructions?: string | undefined
  /** Names of the variables of the instructions: for a workflow, of its inputs. */
  readonly variables: readonly string[]
  /** Names of the variables that a run must set. */
  readonly required: readonly string[]
  readonly tools: readonly string[]
  readonly handoffs: readonly string[]
  readonly settings?: Readonly<Record<string, Json>> | undefined
  readonly isWorkflow: boolean
}

/** A tool that the server's agents have: `GET /tools`. */
export interface ToolInfo {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchemaObject
  readonly effect: ToolEffect
  /** `ask`: calls require approval. `dynamic`: a function decides for each call. */
  readonly permission: 'allow' | 'ask' | 'deny' | 'dynamic'
  /** Agents that have the tool. */
  readonly agents: readonly string[]
}

/** A source from which agents get further tools, for example an MCP server. */
export interface ToolSourceInfo {
  readonly name: string
  readonly agents: readonly string[]
}

/** Answer of `GET /tools`. */
export interface ToolList {
  readonly tools: readonly ToolInfo[]
  readonly sources: readonly ToolSourceInfo[]
}

/** A workflow as a graph: `GET /workflows`. */
export interface WorkflowInfo {
  /** Name of the agent that runs the workflow. */
  readonly name: string
  readonly description?: string | undefined
  /** Number of the saved version. Absent for a workflow that the server's program defines. */
  readonly version?: number | undefined
  /** JSON Schema of the inputs: the `variables` of a run. */
  readonly inputSchema: JsonSchemaObject
  readonly nodes: readonly WorkflowNode[]
  readonly edges: readonly WorkflowEdge[]
}

/** A step. */
export interface WorkflowNode {
  /** Id of the step. The tool call that executes it has this id, or begins with it and `[N]` inside `map` and `repeat`. */
  readonly id: string
  /** Type of the step: `agent`, `tool`, `if`, … */
  readonly type: string
  /** Name of the step, agent or tool, for the reader. */
  readonly label: string
  /** The step that contains this step. */
  readonly parent?: string | undefined
}

/** `to` begins after `from`. */
export interface WorkflowEdge {
  readonly from: string
  readonly to: string
  /** When the edge is taken, for example `else` or `on rejection`. */
  readonly label?: string | undefined
}
