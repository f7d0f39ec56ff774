import type { ErrorInfo } from '../schema/error-info.ts'
import { describeIssues } from './describe-issues.ts'

/** A failure of a tool call. */
export type ToolErrorInfo = Extract<ErrorInfo, { tool: string }>

/** Writes the message of a failed tool call. The model reads it. */
export function describeToolError(info: ToolErrorInfo): string {
  switch (info.code) {
    case 'tool-unknown': {
      const known =
        info.available.length === 0 ? 'There are no tools.' : `Available tools: ${info.available.join(', ')}.`
      return `There is no tool named '${info.tool}'. ${known}`
    }
    case 'tool-arguments-unparsable':
      return `The arguments of '${info.tool}' are not valid JSON: ${info.detail}. Send one JSON object.`
    case 'tool-input-invalid':
      return `The arguments of '${info.tool}' do not fit its schema: ${describeIssues(info.issues)}.`
    case 'tool-output-invalid':
      return `'${info.tool}' returned a value that does not fit its output schema: ${describeIssues(info.issues)}.`
    case 'tool-failed':
      return `'${info.tool}' failed: ${info.detail}`
    case 'tool-timeout':
      return `'${info.tool}' was stopped after ${info.ms} ms without a result.`
    case 'tool-denied':
      return `'${info.tool}' was not run: ${info.reason}`
    case 'tool-cancelled':
      return info.started
        ? `'${info.tool}' was cancelled while it ran; it may have taken partial effect.`
        : `'${info.tool}' was cancelled before it ran.`
    case 'tool-interrupted':
      return `'${info.tool}' was interrupted by a crash. Whether it took effect is unknown, and it was not run again.`
    case 'tool-skipped':
      return `'${info.tool}' was skipped because a new message from the user came first.`
    case 'tool-schema-invalid':
      return `The input schema of '${info.tool}' is invalid: ${info.detail}`
  }
}
