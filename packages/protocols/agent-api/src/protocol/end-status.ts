import type { AgentStatus } from '../schema/event-fields.ts'

/** A status nothing follows. */
export type EndStatus = 'completed' | 'failed' | 'canceled' | 'rejected' | 'incomplete'

const ENDS: Readonly<Record<EndStatus, true>> = {
  completed: true,
  failed: true,
  canceled: true,
  rejected: true,
  incomplete: true,
}

/** Whether nothing follows this status. */
export function isEndStatus(status: AgentStatus | null): status is EndStatus {
  return status !== null && status in ENDS
}
