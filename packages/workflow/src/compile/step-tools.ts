/** Names of the tools every workflow's agent has, beside those its steps name. */
export const STEP_TOOLS = {
  agent: 'step_agent',
  approval: 'step_approval',
  run: 'step_run',
  end: 'step_end',
} as const
