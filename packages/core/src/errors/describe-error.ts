import type { ErrorInfo } from '../schema/error-info.ts'
import { describeIssues } from './describe-issues.ts'
import { describeModelError, type ModelErrorInfo } from './describe-model-error.ts'
import { describeToolError, type ToolErrorInfo } from './describe-tool-error.ts'

/**
 * Writes the message of an error: what happened, with the values, and what to do. The messages of model and tool calls are in
 * files of their own.
 */
export function describeError(info: ErrorInfo): string {
  if (info.code.startsWith('model-') && 'provider' in info) return describeModelError(info)
  if ('tool' in info) return describeToolError(info)
  return describeRunError(info as RunErrorInfo | OutsideErrorInfo)
}

type OtherErrorInfo = Exclude<ErrorInfo, ModelErrorInfo | ToolErrorInfo>
type OutsideErrorInfo = Extract<
  OtherErrorInfo,
  {
    code:
      | `${'store' | 'mcp' | 'file' | 'path' | 'request' | 'url'}-${string}`
      | 'inbox-unread'
      | 'agent-request-failed'
      | 'cancelled'
  }
>
type RunErrorInfo = Exclude<OtherErrorInfo, OutsideErrorInfo>

function describeRunError(info: RunErrorInfo | OutsideErrorInfo): string {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- describeOutsideError has the other codes
  switch (info.code) {
    case 'config-invalid':
      return `${info.path}: ${info.detail}`
    case 'agent-unknown':
      return `There is no agent named '${info.agent}'. ${known('Known agents', info.known)}`
    case 'run-failed':
      return `Agent '${info.agent}' did not complete its task (${info.status}): ${sentence(info.detail)} Its run is '${info.runId}'.`
    case 'step-failed':
      return `Step '${info.step}' of workflow '${info.workflow}' failed (${info.cause}): ${info.detail}`
    case 'selection-failed':
      return `None of the candidates was chosen (${info.strategy}): ${info.detail}`
    case 'model-unknown':
      return `There is no model named '${info.model}'${providerNote(info)}. ${known('Known models', info.known)} Name it in 'models' of createRuntime, give its provider in 'providers', or set 'model' to a model: provider.model('ID').`
    case 'run-unknown':
      return `There is no run '${info.runId}' in this store.`
    case 'run-ended':
      return `Run '${info.runId}' has already ended.`
    case 'run-suspended':
      return `Run '${info.runId}' is suspended. Its parent run continues after the decision or the result of the client.`
    case 'run-busy':
      return `Run '${info.runId}' is being driven by worker '${info.worker}'.`
    case 'session-busy':
      return describeBusy(info, ' (runtime.decide, runtime.submitToolResult)')
    case 'approval-unknown':
      return info.runId === undefined
        ? `No unfinished run has a pending approval '${info.approvalId}'. It may have been decided.`
        : `Run '${info.runId}' has no pending approval '${info.approvalId}'.`
    case 'approval-decided':
      return `Approval '${info.approvalId}' of run '${info.runId}' has already been decided.`
    case 'client-call-unknown':
      return `Run '${info.runId}' has no tool call '${info.callId}' that waits for a result of the client.`
    case 'client-call-settled':
      return `The tool call '${info.callId}' of run '${info.runId}' takes no result: it has one, its time has passed, or its run has ended.`
    case 'approval-forbidden':
      return `Approval '${info.approvalId}' requires one of these roles: ${info.roles.join(', ')}.`
    case 'input-rejected':
      return `The input filter '${info.filter}' rejected the message: ${info.reason}`
    case 'output-invalid':
      return `No answer fits the output schema (${info.attempts} tried): ${describeIssues(info.issues)}.`
    case 'queue-full':
      return `The queue of run '${info.runId}' is full (${info.capacity} messages). Wait until the run has taken some of them.`
    case 'runtime-closed':
      return 'The runtime is closed. Create a runtime for further runs, and close it after the last one.'
    case 'quota-exceeded':
      return `The quota ${info.owner}.quota.${info.quota} of ${info.max} is used up (${info.value}).`
    case 'context-unsatisfiable':
      return describeUnsatisfiable(info)
    case 'limit-reached':
      return `The run reached its limit of ${info.max} ${info.limit} (${info.value}).`
    case 'internal':
      return info.detail
    default:
      return describeOutsideError(info)
  }
}

/**
 * Writes the message of `session-busy`.
 * @param calls The calls that answer a suspended run, for a reader who can make them.
 */
export function describeBusy(info: Extract<ErrorInfo, { code: 'session-busy' }>, calls: string): string {
  const { sessionId, runId, waitsFor = [] } = info
  if (waitsFor.length === 0)
    return `Session '${sessionId}' has another run, '${runId}', that is unfinished or started at the same time. Wait for it, resume it or cancel it, then try again.`
  return `Session '${sessionId}' takes no message, because its run '${runId}' waits for ${waitsFor.join(' and ')}. Answer that${calls}, or cancel the run, then try again.`
}

function describeUnsatisfiable(info: Extract<ErrorInfo, { code: 'context-unsatisfiable' }>): string {
  const { policy, bound, max, tokens, messages, fixedTokens, longest } = info
  const limit = bound === 'window' ? `the model's window of ${max}` : `the ${bound} of ${max}`
  const must = `policy '${policy}' cannot remove more than it has: ${messages} messages stay, the longest with ${longest} tokens`
  const raise = bound === 'window' ? 'Use a model with a larger window' : `Raise ${bound}`
  return (
    `The request does not fit into ${limit} tokens: it has about ${tokens}, of which ${fixedTokens} are instructions and ` +
    `tools. The ${must}. ${raise}, let the policy keep fewer messages, or shorten the messages, instructions or tools.`
  )
}

/** Writes the message of a failure of a store, a server, a file or another program. */
function describeOutsideError(info: OutsideErrorInfo): string {
  switch (info.code) {
    case 'store-conflict':
      return `Run '${info.runId}' has ${info.actual} entries instead of ${info.expected}: another writer has appended first.`
    case 'store-fenced':
      return `Run '${info.runId}' was taken over by another worker.`
    case 'inbox-unread':
      return `Run '${info.runId}' cannot end or suspend while its inbox has unread commands.`
    case 'store-unavailable':
      return `The store ${info.store} cannot be used: ${info.detail}`
    case 'store-corrupt':
      return `The store ${info.store} is damaged: ${info.detail}`
    case 'store-newer':
      return `The store ${info.store} was written by a newer release (schema ${info.found}; this release knows ${info.known}). Update Parley.`
    case 'mcp-server-failed':
      return `MCP server '${info.server}' failed: ${info.detail}`
    case 'mcp-auth-required':
      return `MCP server '${info.server}' is not authorized: ${info.detail}. Sign in to it again.`
    case 'mcp-request-failed':
      return `MCP server '${info.server}' did not answer '${info.method}': ${info.detail}`
    case 'file-unreadable':
      return `Cannot read ${info.path}: ${info.detail}`
    case 'path-refused':
      return `Cannot use the path '${info.path}': ${info.detail}`
    case 'request-invalid':
      return `The request is invalid: ${info.path}: ${info.detail}.`
    case 'agent-request-failed': {
      const facts = [info.status === undefined ? '' : `HTTP ${info.status}`, info.remoteCode ?? ''].filter(Boolean)
      return `The agent at ${info.url} did not answer: ${info.detail}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`
    }
    case 'url-refused':
      return `Cannot fetch ${info.url}: ${info.detail}`
    case 'url-failed':
      return `Fetching ${info.url} failed: ${info.detail}`
    case 'cancelled':
      return `Cancelled (${info.kind})${info.detail === undefined ? '' : `: ${info.detail}`}`
  }
}

/** The text with a full stop at its end, unless it has another mark there. */
function sentence(text: string): string {
  return /[.!?\]]$/.test(text) ? text : `${text}.`
}

function known(label: string, names: readonly string[]): string {
  return names.length === 0 ? `${label}: none.` : `${label}: ${names.join(', ')}.`
}

/** Names an unknown provider: users of other libraries expect that `provider/id` finds it by itself. */
function providerNote({ model, known: names }: { readonly model: string; readonly known: readonly string[] }): string {
  const [provider = '', ...id] = model.split('/')
  return provider === '' || id.length === 0 || names.includes(`${provider}/<id>`)
    ? ''
    : `: the provider '${provider}' is unknown`
}
