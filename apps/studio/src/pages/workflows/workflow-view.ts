/** What the page of workflows shows, as its address holds it. */
export interface WorkflowPageView {
  /** Name of the shown workflow. */
  readonly name?: string | undefined
  /** The run whose steps are shown on it. */
  readonly run?: string | undefined
}

/** Reads the view from an address. What is invalid is left out. */
export function readWorkflowView({ name, run }: Record<string, unknown>): WorkflowPageView {
  return { ...(typeof name === 'string' ? { name } : {}), ...(typeof run === 'string' ? { run } : {}) }
}
