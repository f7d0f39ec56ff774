import { defineTool } from '@parley/core'
import { createRuntime, defineAgent, type Run } from '@parley/engine'
import { scriptedModel, type ScriptStep } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import * as agUi from './ag-ui/index.ts'
import * as aiSdkUi from './ai-sdk-ui/index.ts'
import * as openaiChat from './openai-chat/index.ts'
import * as openaiResponses from './openai-responses/index.ts'

const protocols: Record<string, (run: Run) => Response> = {
  'openai-chat': run => openaiChat.toResponse(run, { model: 'm' }),
  'openai-responses': run => openaiResponses.toResponse(run, { model: 'm' }),
  'ag-ui': run => agUi.toResponse(run),
  'ai-sdk-ui': run => aiSdkUi.toResponse(run),
}
const SECRET = 'sk-secret in /home/owner'
const broken = defineTool({
  name: 'look',
  description: 'd',
  input: { type: 'object' },
  execute: () => {
    throw new Error(SECRET, { cause: new Error(SECRET) })
  },
})

function start(steps: readonly ScriptStep[]): Run {
  return createRuntime().run(defineAgent({ name: 'a', model: scriptedModel(steps), tools: [broken] }), 'go')
}

/** The data of each frame. */
async function framesOf(response: Response): Promise<readonly string[]> {
  const frames = (await response.text()).split('\n\n').filter(frame => frame !== '')
  return frames.map(frame => frame.replace(/^event: .*\n/, '').replace(/^data: /, ''))
}

describe.each(Object.keys(protocols))('toResponse of %s', name => {
  const toResponse = (run: Run): Response => protocols[name]?.(run) ?? Response.error()

  it('toResponse streams the answer as server-sent events', async () => {
    const response = toResponse(start(['Hello there.']))
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    expect(response.headers.get('cache-control')).toBe('no-cache')
    const frames = await framesOf(response)
    const last = frames.at(-1)
    const events = (last === '[DONE]' ? frames.slice(0, -1) : frames).map(frame => JSON.parse(frame) as object)
    expect(events.length).toBeGreaterThan(2)
    expect(JSON.stringify(events)).toContain('Hello th')
    expect(last === '[DONE]').toBe(name === 'openai-chat' || name === 'ai-sdk-ui')
  })

  it('toResponse tells a failure of the run in the stream', async () => {
    const error = { code: 'model-auth', provider: 'p', detail: SECRET } as const
    const text = await toResponse(start([{ error }])).text()
    expect(text).toContain('The model provider rejected the credentials of the agent.')
    expect(text).not.toContain('sk-secret')
  })

  it('toResponse shows neither the message nor the stack of a tool that threw', async () => {
    const text = await toResponse(start([{ toolCalls: [{ name: 'look' }] }, 'Sorry.'])).text()
    expect(text).toContain('Sorry.')
    expect(text).not.toMatch(/sk-secret|\.test\.ts|\[cause\]/)
  })

  it('a client that leaves does not stop the run', async () => {
    const run = start(['Hello there.'])
    const reader = toResponse(run).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    expect((await run.orThrow()).text).toBe('Hello there.')
  })
})

it('the frames of openai-responses have the type of their event as name', async () => {
  const text = await openaiResponses.toResponse(start(['Hello.']), { model: 'm' }).text()
  expect(text).toMatch(/^event: response\.created\ndata: \{"type":"response\.created"/)
})
