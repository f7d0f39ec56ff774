import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, vi } from 'vitest'
import { bundleCli } from './bundle-cli.ts'
import { openModelServer, type ModelServer, type ServedAnswer } from './open-model-server.ts'

const CORE = pathToFileURL(join(import.meta.dirname, '../../../../packages/core/src/index.ts')).href

/** A tool that requires approval, and one that the client executes. */
const TOOLS = `
import { defineTool } from '${CORE}'
const input = { type: 'object' }
export const pay = { name: 'pay', description: 'Pays.', input, permission: 'ask', execute: ({ n }) => 'paid ' + n }
export const locate = defineTool({ name: 'locate', description: 'Locates the user.', input })
`

export interface TerminalOptions {
  /** A script of `sh` in which `parley` is the command. @default 'parley' */
  readonly script?: string | undefined
  /** Answers of the model server. @default [] */
  readonly answers?: readonly ServedAnswer[] | undefined
  /** Milliseconds before each answer, or a function whose promise delays the answer to request `n`, from 1. @default 0 */
  readonly delay?: number | ((n: number) => Promise<unknown>) | undefined
  /** Columns of the terminal. @default 80 */
  readonly columns?: number | undefined
  readonly environment?: Readonly<Record<string, string>> | undefined
  /** Files of the working directory, by name. @default {} */
  readonly files?: Readonly<Record<string, string | Buffer>> | undefined
}

/** The command in a real terminal, and the model server that answers it. */
export interface TestTerminal extends AsyncDisposable {
  readonly server: ModelServer
  readonly dir: string
  /** What the terminal shows, with its history. A line that the terminal broke is joined. */
  screen(): string
  /** The rows of the terminal as they are shown, without the rows above. `styles` adds the codes of colors. */
  rows(options?: { readonly styles?: boolean }): string
  /** Every byte that programs have written to the terminal. */
  raw(): Promise<string>
  /** Waits until the screen shows a text. */
  shows(text: string | RegExp): Promise<void>
  /** Waits until the newest line is the prompt of the chat. */
  prompts(): Promise<void>
  type(text: string): void
  /** Presses a key by its name in tmux, such as `Enter`, `Escape` or `C-c`. */
  key(name: string): void
  /** Types a line. */
  enter(text: string): void
  /** Types a line and waits until the chat prompts for the next one. What it has shown since then must match. */
  ask(text: string, shown: string | RegExp): Promise<void>
  /** Pastes text as a terminal does: with the codes of bracketed paste if the program asks for them. */
  paste(text: string): void
  resize(columns: number): void
}

const waiting = { timeout: 90_000, interval: 100 }

/** Options of a test that needs tmux. */
export const inTerminal = { timeout: 120_000, skip: !hasTmux() }

/** Runs a script in a terminal of its own tmux server. */
export async function openTerminal({
  script = 'parley',
  answers = [],
  delay = 0,
  columns = 80,
  environment = {},
  files = {},
}: TerminalOptions = {}): Promise<TestTerminal> {
  const server = await openModelServer(answers, delay)
  const dir = await mkdtemp(join(tmpdir(), 'parley-tty-'))
  const variables = { OPENAI_BASE_URL: server.url, OPENAI_MODEL: 'test-model', ...environment }
  const exports = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`)
  const start = [
    // The log of the terminal must have the first byte.
    `while [ ! -e ready ]; do sleep 0.05; done`,
    // Ctrl-C at a terminal in line mode reaches every process, and must leave this shell alive.
    'trap : INT',
    ...exports,
    'PATH="$PWD:$PATH"',
    script,
    `echo "exit $?"; exec sleep 600`,
  ].join('\n')
  for (const [name, text] of Object.entries({ 'tools.mjs': TOOLS, 'start.sh': start, ...files })) {
    await writeFile(join(dir, name), text)
  }
  // A program and not a function of the shell, so that `$!` is the process id of the command.
  const program = `#!/bin/sh\nexec '${process.execPath}' --conditions=@parley/source '${await bundleCli()}' "$@"\n`
  await writeFile(join(dir, 'parley'), program, { mode: 0o755 })
  const tmux = (...words: string[]): string =>
    execFileSync('tmux', ['-S', join(dir, 'tmux'), '-f', '/dev/null', ...words], { encoding: 'utf8' })
  tmux('new-session', '-d', '-c', dir, '-x', String(columns), '-y', '60', 'sh', 'start.sh')
  tmux('pipe-pane', `cat > '${join(dir, 'raw.log')}'`)
  await writeFile(join(dir, 'ready'), '')
  const screen = (): string => tmux('capture-pane', '-p', '-J', '-S', '-500')
  const shows = (text: string | RegExp): Promise<void> => vi.waitFor(() => expect(screen()).toMatch(text), waiting)
  const prompts = (): Promise<void> => shows(/^> ?\s*(?![^])/m)
  const type = (text: string): void => void tmux('send-keys', '-l', text)
  const key = (name: string): void => void tmux('send-keys', name)
  const enter = (text: string): void => {
    type(text)
    key('Enter')
  }
  return {
    server,
    dir,
    screen,
    rows: ({ styles = false } = {}) => tmux('capture-pane', '-p', ...(styles ? ['-e'] : [])),
    raw: () => readFile(join(dir, 'raw.log'), 'utf8'),
    shows,
    prompts,
    type,
    key,
    enter,
    async ask(text, shown) {
      const before = afterPrompts(screen()).length
      enter(text)
      await vi.waitFor(() => {
        const since = afterPrompts(screen()).slice(before - 1)
        expect(since.at(-1)?.trim(), 'after the newest prompt').toBe('')
        expect(since.length).toBeGreaterThan(1)
        expect(since.join('\n> ')).toMatch(shown)
      }, waiting)
    },
    paste(text) {
      tmux('set-buffer', '-b', 'text', text)
      tmux('paste-buffer', '-p', '-b', 'text')
    },
    resize: width => void tmux('resize-window', '-x', String(width), '-y', '60'),
    async [Symbol.asyncDispose]() {
      tmux('kill-server')
      await server[Symbol.asyncDispose]()
      await rm(dir, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** What the screen shows after each prompt of the chat. */
function afterPrompts(screen: string): readonly string[] {
  return screen.split(/^> ?/m).slice(1)
}

function hasTmux(): boolean {
  try {
    execFileSync('tmux', ['-V'])
    return true
  } catch {
    return false
  }
}
