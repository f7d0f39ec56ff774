import { describePublicly, type ErrorCode, type ErrorInfo } from '@parley/core'
import type { AgentError } from '../schema/event-fields.ts'

/** A code of the protocol, and the HTTP status of a request that fails with it before its stream begins. */
interface WireError {
  readonly code: string
  readonly status: number
}

const internal: WireError = { code: 'AGENT_UNKNOWN_ERROR', status: 500 }
const configuration: WireError = { code: 'CONFIGURATION_ERROR', status: 500 }
const model: WireError = { code: 'MODEL_EXECUTION_FAILED', status: 502 }
const tool: WireError = { code: 'TOOL_EXECUTION_FAILED', status: 500 }
const store: WireError = { code: 'DATABASE_ERROR', status: 503 }
const missing: WireError = { code: 'RESOURCE_NOT_FOUND', status: 404 }
const conflict: WireError = { code: 'CONFLICT', status: 409 }
const unauthorized: WireError = { code: 'MODEL_UNAUTHORIZED_ACCESS', status: 502 }
const busy: WireError = { code: 'SESSION_BUSY', status: 409 }
const file: WireError = { code: 'TOOL_EXECUTION_FAILED', status: 500 }

const WIRE_ERRORS: Readonly<Record<ErrorCode, WireError>> = {
  'model-auth': unauthorized,
  'model-permission': unauthorized,
  'model-not-found': { code: 'MODEL_NOT_FOUND', status: 502 },
  'model-rate-limited': { code: 'RATE_LIMIT_EXCEEDED', status: 429 },
  'model-quota': { code: 'MODEL_QUOTA_EXCEEDED', status: 429 },
  'model-context-length': { code: 'MODEL_CONTEXT_LENGTH_EXCEEDED', status: 400 },
  'model-content-filter': { code: 'CONTENT_FILTER', status: 400 },
  'model-invalid-request': model,
  'model-overloaded': model,
  'model-server': model,
  'model-timeout': { code: 'MODEL_TIMEOUT', status: 504 },
  'model-network': { code: 'NETWORK_ERROR', status: 502 },
  'model-stream': model,
  'model-unsupported': { code: 'INVALID_PARAMETER', status: 400 },
  'tool-unknown': { code: 'TOOL_NOT_FOUND', status: 500 },
  'tool-arguments-unparsable': tool,
  'tool-input-invalid': tool,
  'tool-output-invalid': tool,
  'tool-failed': tool,
  'tool-timeout': { code: 'TIMEOUT', status: 504 },
  'tool-denied': { code: 'PERMISSION_DENIED', status: 403 },
  'tool-cancelled': tool,
  'tool-interrupted': tool,
  'tool-skipped': tool,
  'tool-schema-invalid': configuration,
  'config-invalid': configuration,
  'agent-unknown': missing,
  'model-unknown': { code: 'MODEL_NOT_FOUND', status: 404 },
  'run-unknown': missing,
  'run-ended': conflict,
  'run-busy': busy,
  'session-busy': busy,
  'approval-unknown': missing,
  'approval-decided': conflict,
  'client-call-unknown': missing,
  'client-call-settled': conflict,
  'approval-forbidden': { code: 'PERMISSION_DENIED', status: 403 },
  'run-failed': { code: 'AGENT_EXECUTION_FAILED', status: 502 },
  'step-failed': { code: 'AGENT_EXECUTION_FAILED', status: 502 },
  'selection-failed': { code: 'AGENT_EXECUTION_FAILED', status: 502 },
  'run-suspended': conflict,
  'input-rejected': { code: 'INPUT_REJECTED', status: 400 },
  'output-invalid': { code: 'OUTPUT_INVALID', status: 502 },
  'context-unsatisfiable': { code: 'MODEL_CONTEXT_LENGTH_EXCEEDED', status: 400 },
  'quota-exceeded': { code: 'RATE_LIMIT_EXCEEDED', status: 429 },
  'queue-full': { code: 'RATE_LIMIT_EXCEEDED', status: 429 },
  'runtime-closed': { code: 'SERVICE_UNAVAILABLE', status: 503 },
  'limit-reached': { code: 'LIMIT_REACHED', status: 429 },
  internal,
  'store-conflict': busy,
  'store-fenced': busy,
  'inbox-unread': busy,
  'store-unavailable': store,
  'store-corrupt': store,
  'store-newer': store,
  'mcp-server-failed': { code: 'MCP_CONNECTION_FAILED', status: 502 },
  'mcp-auth-required': { code: 'MCP_CONNECTION_FAILED', status: 502 },
  'mcp-request-failed': { code: 'MCP_PROTOCOL_ERROR', status: 502 },
  'file-unreadable': file,
  'path-refused': file,
  'url-refused': { code: 'TOOL_EXECUTION_FAILED', status: 500 },
  'url-failed': { code: 'EXTERNAL_SERVICE_ERROR', status: 502 },
  'request-invalid': { code: 'INVALID_PARAMETER', status: 400 },
  'agent-request-failed': { code: 'EXTERNAL_SERVICE_ERROR', status: 502 },
  cancelled: { code: 'CANCELED', status: 409 },
}

/** Turns a failure into an error for clients: a code of the protocol, and the sentence of `describePublicly`. */
export function toAgentError(info: ErrorInfo): AgentError {
  return { code: WIRE_ERRORS[info.code].code, message: describePublicly(info) }
}

/** Returns the HTTP status for a request that fails before its stream starts. */
export function toHttpStatus(info: ErrorInfo): number {
  return WIRE_ERRORS[info.code].status
}
