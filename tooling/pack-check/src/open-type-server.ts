import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'

/** What an editor asks TypeScript about a place in a file. Lines and offsets begin at 1. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly offset: number
}

/** TypeScript's server for editors. Disposing it ends the process. */
export interface TypeServer extends AsyncDisposable {
  /** The text that an editor shows when the pointer rests on a name. */
  hover(place: Place): Promise<string>
  /** The files that contain the implementation of a name. */
  sourceDefinition(place: Place): Promise<readonly string[]>
}

interface Answer {
  readonly type: string
  readonly request_seq?: number
  readonly success?: boolean
  readonly body?: unknown
}

/** Starts the server in a folder, and opens a file there. */
export async function openTypeServer(folder: string, file: string): Promise<TypeServer> {
  const program = createRequire(import.meta.url).resolve('typescript/lib/tsserver.js')
  const args = [program, '--disableAutomaticTypingAcquisition', '--suppressDiagnosticEvents']
  const server = spawn(process.execPath, args, { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, (answer: Answer) => void>()
  let buffer = ''
  let last = 0
  server.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (buffer + text).split('\n')
    buffer = lines.pop() ?? ''
    for (const line of lines.filter(candidate => candidate.startsWith('{'))) {
      const answer = JSON.parse(line) as Answer
      if (answer.type === 'response') waiting.get(answer.request_seq ?? 0)?.(answer)
    }
  })
  const send = (command: string, request: object): number => {
    last += 1
    server.stdin.write(`${JSON.stringify({ seq: last, type: 'request', command, arguments: request })}\n`)
    return last
  }
  const ask = async (command: string, place: Place): Promise<unknown> => {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    waiting.set(send(command, place), resolve)
    const answer = await promise
    return answer.success === true ? answer.body : undefined
  }
  send('open', { file })

  return {
    async hover(place) {
      const body = (await ask('quickinfo', place)) as { readonly displayString?: string } | undefined
      return body?.displayString ?? ''
    },
    async sourceDefinition(place) {
      const found = (await ask('findSourceDefinition', place)) as readonly { readonly file: string }[] | undefined
      return [...new Set((found ?? []).map(definition => definition.file))]
    },
    async [Symbol.asyncDispose]() {
      const ended = once(server, 'exit')
      server.kill()
      await ended
    },
  }
}
