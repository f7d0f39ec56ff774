import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callTool } from '../__fixtures__/call-tool.ts'
import { createTextTools } from './create-text-tools.ts'

const tools = createTextTools()
const call = (name: string, input: Readonly<Record<string, unknown>>) => callTool(tools, name, input)

it('createTextTools creates these tools, all of effect read', () => {
  expect(tools.map(tool => tool.name)).toEqual([
    'echo',
    'text_stats',
    'json_format',
    'url_encode',
    'hash_text',
    'generate_uuid',
    'generate_password',
    'convert_temperature',
  ])
  expect(tools.every(tool => tool.effect === 'read')).toBe(true)
})

it('echo returns its text', async () => {
  expect((await call('echo', { text: 'a\nb' })).text).toBe('a\nb')
})

describe('text_stats', () => {
  it.each([
    ['', { characters: 0, words: 0, lines: 0, sentences: 0, bytes: 0 }],
    ['Hello, world. Bye!\n', { characters: 19, words: 3, lines: 1, sentences: 2, bytes: 19 }],
    ['👨‍👩‍👧 é', { characters: 3, words: 1, lines: 1, sentences: 1, bytes: 21 }],
    ['a\r\nb\n\n', { characters: 5, words: 2, lines: 3, sentences: 2, bytes: 6 }],
  ])('text_stats counts %j', async (text, stats) => {
    expect((await call('text_stats', { text })).outcome).toMatchObject({ structured: stats })
  })
})

it('text_stats rejects a text that is too long', async () => {
  expect((await call('text_stats', { text: 'x'.repeat(1_000_001) })).text).toContain('up to 1000000')
})

describe('json_format', () => {
  it('json_format formats any JSON without changing its value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.integer({ min: 0, max: 8 }), async (json, indent) => {
        const { text } = await call('json_format', { json, indent })
        expect(text).toBe(JSON.stringify(JSON.parse(json), null, indent))
      }),
      { numRuns: 200 },
    )
  })

  it('json_format keeps long numbers, repeated names and escapes as written', async () => {
    const json = '{"a":12345678901234567890,"a":1.50,"b":"\\u0041 {[,:"}'
    expect((await call('json_format', { json, indent: 0 })).text).toBe(json)
    expect((await call('json_format', { json })).text).toContain('"a": 12345678901234567890,\n  "a": 1.50')
  })

  it('json_format says why a text is not JSON', async () => {
    const { ok, text } = await call('json_format', { json: "{'a': 1}" })
    expect(ok).toBe(false)
    expect(text).toContain('double quotes')
  })

  it('json_format rejects deeply nested JSON whose formatted text is too long, and says what to do', async () => {
    const json = '['.repeat(3_000) + ']'.repeat(3_000)
    const { ok, text } = await call('json_format', { json })
    expect(ok).toBe(false)
    expect(text).toContain('Use a smaller indent')
    expect((await call('json_format', { json, indent: 0 })).text).toBe(json)
  })
})

it('url_encode encodes and decodes, and rejects an invalid encoding', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async text => {
      const { text: encoded } = await call('url_encode', { text })
      expect(encoded).toMatch(/^[\w.!~*'()%-]*$/)
      expect((await call('url_encode', { text: encoded, decode: true })).text).toBe(text)
    }),
  )
  expect((await call('url_encode', { text: 'a+b', decode: true })).text).toBe('a b')
  expect((await call('url_encode', { text: '\uD800' })).ok).toBe(true)
  expect(await call('url_encode', { text: '100%', decode: true })).toMatchObject({ ok: false })
})

it('hash_text hashes the UTF-8 bytes of a text and rejects an unknown algorithm', async () => {
  for (const algorithm of ['md5', 'sha1', 'sha256', 'sha512']) {
    const hash = createHash(algorithm).update('é').digest('hex')
    expect((await call('hash_text', { text: 'é', algorithm })).text).toBe(hash)
  }
  expect((await call('hash_text', { text: 'é' })).outcome).toMatchObject({ structured: { algorithm: 'sha256' } })
  expect((await call('hash_text', { text: 'é', algorithm: 'crc32' })).text).toBe(
    "'crc32' is not one of md5, sha1, sha256, sha512.",
  )
})

it('generate_uuid generates distinct UUIDs of version 4', async () => {
  const { text } = await call('generate_uuid', { count: 100 })
  const uuids = text.split('\n')
  expect(new Set(uuids).size).toBe(100)
  for (const uuid of uuids) expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
})

describe('generate_password', () => {
  it('generate_password returns the requested length with a character of each kind', async () => {
    for (const length of [8, 20, 128]) {
      const { text } = await call('generate_password', { length })
      expect(text).toHaveLength(length)
      for (const kind of [/[A-Z]/, /[a-z]/, /\d/, /[^A-Za-z\d]/]) expect(text).toMatch(kind)
    }
    expect((await call('generate_password', { symbols: false })).text).toMatch(/^[A-Za-z\d]{20}$/)
  })

  it('generate_password uses the randomInt option', async () => {
    let drawn = 0
    const counting = createTextTools({ randomInt: limit => drawn++ % limit })
    expect((await callTool(counting, 'generate_password', { length: 90 })).text).toMatch(/^ABC.*xyz0123456789!#/)
  })
})

describe('convert_temperature', () => {
  it.each([
    [100, 'C', 'F', '212 F'],
    [-40, 'F', 'C', '-40 C'],
    [0, 'K', 'C', '-273.15 C'],
    [98.6, 'F', 'C', '37 C'],
    [0.1, 'C', 'C', '0.1 C'],
    [37.7, 'C', 'K', '310.85 K'],
  ])('convert_temperature converts %d %s to %s', async (...[value, from, to, shown]) => {
    expect((await call('convert_temperature', { value, from, to })).text).toBe(shown)
  })

  it('convert_temperature rejects a temperature below absolute zero', async () => {
    expect(await call('convert_temperature', { value: -300, from: 'C', to: 'F' })).toMatchObject({ ok: false })
  })
})
