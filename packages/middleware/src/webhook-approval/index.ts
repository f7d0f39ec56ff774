export { webhookApproval, type WebhookApprovalOptions } from './webhook-approval.ts'
