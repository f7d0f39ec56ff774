import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { bundleProgram } from '@parley-tooling/test-run/bundle-program'
import { ask } from './sse.ts'
import type { LargeRun, ServerReport } from './large-run-server.ts'

/** A server in a process of its own. */
export interface LargeRunServer extends AsyncDisposable {
  readonly url: string
  /** Bytes by which the resident memory of the process has grown at most. */
  grownBytes(): Promise<number>
}

export async function openLargeRunServer(run: LargeRun): Promise<LargeRunServer> {
  const file = await bundleProgram(new URL('large-run-server.ts', import.meta.url))
  const child = fork(file, [JSON.stringify(run)], { execArgv: ['--expose-gc'] })
  const report = await nextReport(child)
  if (!('url' in report)) throw new Error('the server must report its address first')
  return {
    url: report.url,
    async grownBytes() {
      child.send('measure')
      const measured = await nextReport(child)
      return 'grownBytes' in measured ? measured.grownBytes : Number.NaN
    },
    async [Symbol.asyncDispose]() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

async function nextReport(child: ChildProcess): Promise<ServerReport> {
  const [report] = (await once(child, 'message')) as [ServerReport]
  return report
}

/** What a reader saw of a stream. */
export interface ReadStream {
  readonly bytes: number
  /** The first characters of the last event. */
  readonly last: string
}

/** Characters of an event that are kept: enough for its type, status and number. */
const HEAD_CHARS = 300

/** Reads a stream of any size. @param pauseMs Wait after each MiB. */
export async function readStream(response: Response, pauseMs = 0): Promise<ReadStream> {
  let bytes = 0
  let pausedAt = 0
  let last = ''
  let head = ''
  for await (const chunk of response.body ?? []) {
    const data = Buffer.from(chunk as Uint8Array)
    bytes += data.length
    for (let from = 0; from < data.length;) {
      const end = data.indexOf('\n\n', from)
      const to = end === -1 ? data.length : end
      if (head.length < HEAD_CHARS) head += data.toString('utf8', from, Math.min(to, from + HEAD_CHARS))
      if (end === -1) break
      last = head.trim() === '' ? last : head
      head = ''
      from = end + 2
    }
    if (pauseMs > 0 && bytes - pausedAt > 1024 * 1024) {
      pausedAt = bytes
      await new Promise(resolve => setTimeout(resolve, pauseMs))
    }
  }
  return { bytes, last: last.trim() }
}

/** Starts the run of the server and returns its id as soon as it is known, and the stream of the request. */
export async function startLargeRun(url: string, path = '/process'): Promise<Response> {
  const body = path === '/process' ? ask('go', { id: 'mine' }) : { input: 'go', stream: true }
  return fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) })
}
