import type { AgentStatus } from '../schema/event-fields.ts'

/** A terminal status. */
export type EndStatus = 'completed' | 'failed' | 'canceled' | 'rejected' | 'incomplete'

const ENDS: Readonly<Record<EndStatus, true>> = {
  completed: true,
  failed: true,
  canceled: true,
  rejected: true,
  incomplete: true,
}

/** Whether the status is terminal. */
export function isEndStatus(status: AgentStatus | null): status is EndStatus {
  return status !== null && status in ENDS
}
