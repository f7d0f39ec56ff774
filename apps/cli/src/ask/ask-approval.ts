import type { ApprovalDecision, ApprovalRequest, Json } from '@parley/core'
import type { Terminal } from '../render/terminal.ts'
import type { Prompter } from './prompter.ts'

/** What a user can decide. */
export type UserDecision = Exclude<ApprovalDecision, { type: 'timed-out' }>

export interface AskOptions {
  readonly terminal: Terminal
  readonly prompter: Prompter
  /** Tools whose calls are approved without a question. The answer `always` adds one. */
  readonly always: Set<string>
  /** Whether the user may edit the arguments. @default true */
  readonly canEdit?: boolean | undefined
}

/**
 * Asks the user about a tool call: approve it, reject it with a reason, edit its arguments, or approve every later call of the
 * tool in this process.
 * @returns `undefined` if the user leaves the call undecided.
 */
export async function askApproval(
  { name, input, prompt, roles }: Pick<ApprovalRequest, 'name' | 'input' | 'prompt' | 'roles'>,
  { terminal, prompter, always, canEdit = true }: AskOptions,
): Promise<UserDecision | undefined> {
  if (always.has(name)) return { type: 'approved' }
  const { style } = terminal
  terminal.out(`${style('yellow', '?')} ${prompt}\n${style('dim', indented(JSON.stringify(input, undefined, 2)))}\n`)
  if (roles !== undefined) terminal.out(`  Requires one of the roles: ${roles.join(', ')}\n`)
  const choices = canEdit ? '[y]es  [n]o  [e]dit  [a]lways for this tool' : '[y]es  [n]o  [a]lways for this tool'
  for (;;) {
    const answer = (await prompter.ask(`  ${style('bold', choices)} › `))?.trim().toLowerCase()
    switch (!canEdit && answer?.startsWith('e') === true ? 'unknown' : answer) {
      case undefined:
        return undefined
      case 'y':
      case 'yes':
        return { type: 'approved' }
      case 'a':
      case 'always':
        always.add(name)
        return { type: 'approved' }
      case 'n':
      case 'no': {
        const reason = await prompter.ask('  Reason for the model (Enter for none) › ')
        return reason === undefined ? undefined : { type: 'rejected', reason: reason.trim() || 'The user refused.' }
      }
      case 'e':
      case 'edit': {
        const edited = await askJson('  Arguments › ', input, { terminal, prompter })
        if (edited !== undefined) return { type: 'modified', input: edited }
        break
      }
      default:
        terminal.out(`  Answer y, n${canEdit ? ', e' : ''} or a. Ctrl-C leaves the call undecided.\n`)
    }
  }
}

/** Asks until the answer is JSON. @returns `undefined` if the user leaves the question. */
async function askJson(
  question: string,
  initial: Json,
  { terminal, prompter }: Pick<AskOptions, 'terminal' | 'prompter'>,
): Promise<Json | undefined> {
  let text = JSON.stringify(initial)
  for (;;) {
    const answer = await prompter.ask(question, text)
    if (answer === undefined) return undefined
    try {
      return JSON.parse(answer) as Json
    } catch {
      terminal.out('  The arguments must be JSON.\n')
      text = answer
    }
  }
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ')
}
