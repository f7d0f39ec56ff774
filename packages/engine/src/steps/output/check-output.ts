import { storageFault, userMessage, type Json, type ValidationIssue } from '@parley/core'
import type { EntryBody } from '../../run-context/run-journal.ts'
import { answerText } from '../../journal/answer-text.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import { extractJson } from './extract-json.ts'
import { unwrapOutput, type PreparedOutput } from '../../agent/output/prepare-output.ts'

/** Checks whether the answer's text holds a value that matches the output schema, and asks for a repair if not. */
export async function checkOutput(run: RunContext): Promise<void> {
  const { output } = run.agent
  if (output === undefined) return
  for (const entry of await judgeAnswer(run, output)) run.journal.record(entry)
}

async function judgeAnswer(run: RunContext, output: PreparedOutput): Promise<readonly EntryBody[]> {
  const { transcript, continued, outputRejections } = run.state
  const checked = await checkText(answerText(transcript.toArray(), continued), output)
  if (checked.ok) return [{ type: 'output.accepted', value: checked.value }]
  const attempt = outputRejections + 1
  const rejected: EntryBody = { type: 'output.rejected', attempt, issues: [...checked.issues] }
  if (attempt > output.repairs) return [rejected]
  return [
    rejected,
    { type: 'message.appended', source: 'repair', message: userMessage(repairPrompt(checked.issues, output)) },
  ]
}

type Checked =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[] }

async function checkText(text: string, { validate, wrapped }: PreparedOutput): Promise<Checked> {
  const found = extractJson(text)
  if (found === undefined) return { ok: false, issues: [{ path: '', message: 'is not JSON' }] }
  const value = unwrapOutput(found.value, wrapped)
  const fault = storageFault(value)
  if (fault !== undefined) return { ok: false, issues: [{ path: '', message: fault }] }
  const { ok, issues = [] } = await validate(value)
  return ok ? { ok, value: value as Json } : { ok, issues }
}

function repairPrompt(issues: readonly ValidationIssue[], { strategy, name }: PreparedOutput): string {
  const faults = issues.map(({ path, message }) => `- ${path === '' ? 'the answer' : path} ${message}`).join('\n')
  const how =
    strategy === 'tool'
      ? `Call the tool '${name}' with the whole answer.`
      : 'Answer with the whole corrected JSON and nothing else.'
  return `Your answer does not have the form that is needed:\n${faults}\n${how}`
}
