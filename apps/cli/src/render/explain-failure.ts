import { describeError, ParleyError, type ErrorInfo } from '@parley/core'
import { describeBusyRun } from './busy-run.ts'
import { closestName } from './closest-name.ts'

/** What hints repeat of the command line. */
export interface Caller {
  /** How the user calls the CLI, for example `parley`. */
  readonly command: string
  /** Options that select the database or the server: ` --db runs.db`. Empty for the default database. */
  readonly place: string
}

/**
 * Describes a failure in one line, with the command that helps, if there is one.
 * @returns `undefined` if the error is unexpected.
 */
export function explainFailure(error: unknown, caller: Caller): string | undefined {
  return ParleyError.is(error) ? explainInfo(withReason(error), caller) : undefined
}

/** Describes an error in one line, with the command that helps, if there is one. */
export function explainInfo(info: ErrorInfo, caller: Caller): string {
  const described = descriptionOf(info)
  const text = described.replaceAll(/\s*\n\s*/g, ' ')
  const hint = hintFor(info, caller)
  return hint === undefined ? text : `${text} ${hint}`
}

/** `fetch` throws "fetch failed" and puts the reason into the innermost cause. */
function withReason({ info, cause }: ParleyError): ErrorInfo {
  if (info.code !== 'agent-request-failed' || info.detail !== 'fetch failed') return info
  let reason = cause
  while (reason instanceof Error && reason.cause !== undefined) reason = reason.cause
  return reason instanceof Error ? { ...info, detail: reason.message } : info
}

function descriptionOf(info: ErrorInfo): string {
  if (info.code === 'run-busy') return describeBusyRun(info, Date.now())
  if (info.code === 'agent-request-failed' && isRefusal(info)) return `The server refused: ${info.detail}`
  return describeError(info)
}

type RequestFailure = Extract<ErrorInfo, { code: 'agent-request-failed' }>

/** Whether a Parley server answered that it does not serve the request. Its sentence says why. */
function isRefusal({ status = 0, remoteCode }: RequestFailure): boolean {
  return remoteCode !== undefined && status >= 400 && status < 500
}

/** The access that a refused request requires, by the sentence of the server. */
const REQUIRED_ACCESS = /requires the access '(viewer|operator|admin)'/

function hintForRefusal({ status, detail, url }: RequestFailure): string | undefined {
  if (status === 401) return 'Pass an API key of the server with --key or PARLEY_API_KEY.'
  const [, access] = REQUIRED_ACCESS.exec(detail) ?? []
  if (access !== undefined) return `There it is the last part of PARLEY_API_KEYS=NAME:KEY:${access}`
  const isMissing = status === 404 && /\/(runs|approvals)(\?|$)/.test(url)
  return isMissing ? 'Its version of Parley has no Runs API, or --server is not the address of its root.' : undefined
}

function hintFor(info: ErrorInfo, { command, place }: Caller): string | undefined {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other errors have no hint
  switch (info.code) {
    case 'agent-unknown':
      return suggest(info.agent, info.known)
    case 'model-unknown':
      return suggest(info.model, info.known)
    case 'run-unknown':
      return `List the runs: ${command} runs${place}`
    case 'run-ended':
      return `Show it: ${command} trace ${info.runId}${place}`
    case 'run-busy':
      return `Wait, or take it over: ${command} resume ${info.runId}${place} --force`
    case 'session-busy':
      if (info.waitsFor !== undefined)
        return `Decide: ${command} approve ${info.runId}${place}. Cancel it: ${command} cancel ${info.runId}${place}`
      return `Resume it: ${command} resume ${info.runId}${place}. Cancel it: ${command} cancel ${info.runId}${place}`
    case 'agent-request-failed':
      return hintForRefusal(info)
    case 'mcp-auth-required':
      return `Sign in: ${command} mcp auth ${info.server}`
    default:
      return undefined
  }
}

function suggest(name: string, known: readonly string[]): string | undefined {
  const closest = closestName(name, known)
  return closest === undefined ? undefined : `Did you mean ${closest}?`
}
