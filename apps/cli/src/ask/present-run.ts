import type { RunResult } from '@parley/engine'
import { continueHint } from '../render/continue-hint.ts'
import { exitCodeOf } from '../render/exit-code.ts'
import { createMarkdown } from '../render/markdown-writer.ts'
import { createRunRenderer, type RenderOptions } from '../render/render-run.ts'
import { createRichRenderer } from '../render/rich-renderer.ts'
import { showRenderedRun, type ShownRun } from '../render/show-run.ts'
import type { Terminal } from '../render/terminal.ts'
import { showAndAnswer, type AnswerOptions, type RunAnswers, type Waiting } from './answer-requests.ts'
import { terminalPrompter } from './prompter.ts'
import { withStopKeys } from './stop-keys.ts'

export interface PresentOptions extends RenderOptions {
  readonly runtime: RunAnswers
  /** Role of the user, if an approval requires one. @default none */
  readonly role?: string | undefined
  /** Tools whose calls are approved without a question. @default none yet */
  readonly always?: Set<string> | undefined
}

/** Prints a run and returns the exit code. At a terminal, asks the user what the run waits for. */
export async function presentRun(run: ShownRun, terminal: Terminal, options: PresentOptions): Promise<number> {
  if (!terminal.isInteractive || options.mode !== 'text') {
    return exitCodeOf(await showRenderedRun(run, createRunRenderer(terminal, options), { terminal, ...options }))
  }
  return exitCodeOf(await showAndAnswer(run, await openAnswering(terminal, options)))
}

/** Creates the options of `showAndAnswer` for the terminal of this process. */
export async function openAnswering(terminal: Terminal, options: PresentOptions): Promise<AnswerOptions> {
  const markdown = terminal.isPlain ? undefined : await createMarkdown(terminal)
  const show = (run: ShownRun): Promise<RunResult> => {
    const renderer =
      markdown === undefined ? createRunRenderer(terminal, options) : createRichRenderer(terminal, options, markdown)
    const stop = (): void => void run.cancel({ kind: 'user', detail: 'stopped with Esc' })
    return withStopKeys(stop, () => showRenderedRun(run, renderer, { terminal, ...options }))
  }
  const { runtime, command, place, role, always = new Set() } = options
  const onLeft = (waiting: Waiting): void => {
    const hint = continueHint(waiting, name => `${command} ${name} ${waiting.runId}${place}`)
    terminal.out(`The run still waits${hint && ` · ${hint}`}\n`)
  }
  return { runtime, onLeft, show, terminal, prompter: terminalPrompter(terminal), always, role }
}
