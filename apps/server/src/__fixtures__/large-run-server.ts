import { defineTool, ZERO_USAGE, type Model } from '@parley/core'
import { defineAgent } from '@parley/engine'
import { openTestServer } from './open-test-server.ts'

/** The sizes of one run, in characters. */
export interface LargeRun {
  /** Number of tool calls, and the characters of each output. */
  readonly outputs: number
  readonly outputChars: number
  readonly answerChars: number
  /** Characters of each delta of the answer. */
  readonly deltaChars: number
}

/** What the server process sends to its parent process. */
export type ServerReport = { readonly url: string } | { readonly grownBytes: number }

const sizes = JSON.parse(process.argv[2] ?? '{}') as LargeRun

/** A flat text: its creation leaves no garbage to measure. */
function textOf(chars: number, mark: string): string {
  return Buffer.alloc(chars, `${mark} is one piece of a long text. `).toString('latin1')
}

const big = defineTool({
  name: 'big',
  description: 'Returns a large text.',
  input: { type: 'object' },
  execute: (_, { callId }) => textOf(sizes.outputChars, callId.at(-1) ?? ''),
})

function createModel(): Model {
  let calls = 0
  return {
    provider: 'scripted',
    id: 'large',
    info: {},
    async *stream() {
      const call = calls++
      if (call < sizes.outputs) yield { type: 'tool-call', callId: `call_${call}`, name: 'big', arguments: '{}' }
      else {
        const text = textOf(sizes.deltaChars, 'a')
        for (let sent = 0; sent < sizes.answerChars; sent += text.length) yield { type: 'text.delta', text }
      }
      yield { type: 'usage', usage: { ...ZERO_USAGE, input: 1, output: 1 } }
      yield { type: 'finish', reason: call < sizes.outputs ? 'tool-calls' : 'stop' }
    },
  }
}

const agent = defineAgent({ name: 'guide', model: createModel(), tools: [big] })
const served = await openTestServer({ agents: [agent], keepAliveMs: 15_000 })
globalThis.gc?.()
const before = process.memoryUsage.rss()
process.on('message', () => {
  // The high-water mark of the kernel, in KiB: no sample is missed.
  process.send?.({ grownBytes: process.resourceUsage().maxRSS * 1024 - before } satisfies ServerReport)
})
process.once('disconnect', () => process.exit())
process.send?.({ url: served.url } satisfies ServerReport)
