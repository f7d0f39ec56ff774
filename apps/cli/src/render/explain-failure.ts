import { describeError, ParleyError, type ErrorInfo } from '@parley/core'
import { describeBusyRun } from './busy-run.ts'
import { closestName } from './closest-name.ts'

/**
 * Describes a failure in one line, with the command that helps, if there is one.
 * @returns `undefined` if the error is unexpected.
 */
export function explainFailure(error: unknown, command: string): string | undefined {
  return ParleyError.is(error) ? explainInfo(error.info, command) : undefined
}

/** Describes an error in one line, with the command that helps, if there is one. */
export function explainInfo(info: ErrorInfo, command: string): string {
  const described = info.code === 'run-busy' ? describeBusyRun(info, Date.now()) : describeError(info)
  const text = described.replaceAll(/\s*\n\s*/g, ' ')
  const hint = hintFor(info, command)
  return hint === undefined ? text : `${text} ${hint}`
}

function hintFor(info: ErrorInfo, command: string): string | undefined {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other errors have no hint
  switch (info.code) {
    case 'agent-unknown':
      return suggest(info.agent, info.known)
    case 'model-unknown':
      return suggest(info.model, info.known)
    case 'run-unknown':
      return `List the runs: ${command} runs`
    case 'run-ended':
      return `Show it: ${command} trace ${info.runId}`
    case 'run-busy':
      return `Wait, or take it over: ${command} resume ${info.runId} --force`
    case 'session-busy':
      if (info.waitsFor !== undefined)
        return `Decide: ${command} approve ${info.runId}. Cancel it: ${command} cancel ${info.runId}`
      return `Resume it: ${command} resume ${info.runId}. Cancel it: ${command} cancel ${info.runId}`
    case 'agent-request-failed':
      return info.status === 401 ? 'Pass an API key of the server with --key or PARLEY_API_KEY.' : undefined
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
