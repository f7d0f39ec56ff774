import type { ApprovalDecision, Json } from '@parley/core'

/** Reads a decision from an untrusted value. Returns `undefined` if the value is invalid. */
export function toDecision(value: unknown): ApprovalDecision | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { type, reason, input, roles, prompt, agent, task } = value as Readonly<Record<string, unknown>>
  switch (type) {
    case 'approved':
    case 'timed-out':
      return { type }
    case 'rejected':
      return { type, reason: typeof reason === 'string' ? reason : 'no reason was given.' }
    case 'modified':
      return input === undefined ? undefined : { type, input: input as Json }
    case 'escalated':
      if (agent !== undefined) {
        if (roles !== undefined || typeof agent !== 'string' || agent === '') return undefined
        return { type, agent, ...(typeof task === 'string' ? { task } : {}) }
      }
      if (!Array.isArray(roles) || !roles.every(role => typeof role === 'string')) return undefined
      return { type, roles, ...(typeof prompt === 'string' ? { prompt } : {}) }
    default:
      return undefined
  }
}
