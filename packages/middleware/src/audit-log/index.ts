export { createAuditLog, type AuditLog, type AuditLogOptions } from './create-audit-log.ts'
export { type AuditFact, type AuditRecord } from './audit-record.ts'
export { verifyAuditLog, type AuditVerification } from './verify-audit-log.ts'
