import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { ParleyError, type Model, type ModelEvent } from '@parley/core'
import { fakeClock, scriptedModel } from '@parley/testing'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ask, request } from './__fixtures__/ask.ts'
import { openFolder } from './__fixtures__/open-folder.ts'
import { readCassette, recordModel, replayModel } from './index.ts'

const RATE_LIMITED = { code: 'model-rate-limited', provider: 'scripted', status: 429, detail: 'Slow down.' } as const

/** The text of the error that a model throws. */
async function failureOf(model: Model, asked = request('x')): Promise<string> {
  const { error } = await ask(model, asked)
  expect(ParleyError.is(error, 'model-invalid-request')).toBe(true)
  return (error as Error).message
}

describe('a cassette', () => {
  it('a replayed answer has the same events in the same pieces, and a replayed failure is the same ParleyError', async () => {
    using folder = openFolder()
    const script = [
      { reasoning: 'Hm, ', text: 'Grüße 🌤️ von hier.', chunkSize: 3 },
      { text: 'Half', error: RATE_LIMITED },
    ]
    const recorder = recordModel(scriptedModel(script), folder.file('c.jsonl'))
    const recorded = [await ask(recorder, request('a')), await ask(recorder, request('b'))]
    const replay = replayModel(folder.file('c.jsonl'))
    expect(replay).toMatchObject({ provider: 'scripted', id: 'script' })
    expect(replay.unused.map(({ call }) => call)).toEqual([1, 2])
    // The order of the requests may differ.
    const [second, first] = [await ask(replay, request('b')), await ask(replay, request('a'))]
    expect([first, second].map(({ events }) => events)).toEqual(recorded.map(({ events }) => events))
    expect(ParleyError.is(second.error, 'model-rate-limited') ? second.error.info : second.error).toEqual(RATE_LIMITED)
    expect(replay.unused).toEqual([])
  })

  it('equal requests get their answers in the order in which they began, each once', async () => {
    using folder = openFolder()
    const recorder = recordModel(scriptedModel([{ text: 'first', delayMs: 20 }, 'second']), folder.file('c.jsonl'))
    await Promise.all([ask(recorder, request('a')), ask(recorder, request('a'))])
    const replay = replayModel(folder.file('c.jsonl'))
    const texts = [await ask(replay, request('a')), await ask(replay, request('a'))].map(({ events }) =>
      events.map(event => (event.type === 'text.delta' ? event.text : '')).join(''),
    )
    expect(texts).toEqual(['first', 'second'])
    expect(await failureOf(replay, request('a'))).toContain(
      'has this request 2 times (call 1, 2), and it is asked once more',
    )
  })

  it('concurrent calls of two models share a file, each with its own answers', async () => {
    using folder = openFolder()
    const file = folder.file('c.jsonl')
    const models = ['a', 'b'].map(id =>
      recordModel(
        scriptedModel(({ messages }) => `${id} ${JSON.stringify(messages).length}`, { id }),
        file,
      ),
    )
    const texts = Array.from({ length: 20 }, (_, index) => 'x'.repeat(index))
    const recorded = await Promise.all(models.map(model => Promise.all(texts.map(text => ask(model, request(text))))))
    expect(readCassette(file).calls).toHaveLength(40)
    const replays = ['scripted/a', 'scripted/b'].map(model => replayModel(file, { model }))
    const replayed = await Promise.all(replays.map(model => Promise.all(texts.map(text => ask(model, request(text))))))
    expect(replayed).toEqual(recorded)
    expect(() => replayModel(file)).toThrow('the cassette has calls of scripted/a, scripted/b; name one of them')
    expect(() => replayModel(file, { model: 'b' })).toThrow("is 'b'; the cassette has calls of scripted/a, scripted/b")
  })

  it('recorded timing waits as long as the model did, and instant timing does not wait', async () => {
    using folder = openFolder()
    const clock = fakeClock()
    const pieces: readonly ModelEvent[] = [
      { type: 'text.delta', text: 'a' },
      { type: 'text.delta', text: 'b' },
      { type: 'finish', reason: 'stop' },
    ]
    const model: Model = {
      ...scriptedModel([]),
      async *stream() {
        for (const piece of pieces) {
          await clock.advance(500)
          yield piece
        }
      },
    }
    await ask(recordModel(model, { file: folder.file('c.jsonl'), clock }), request('a'))
    expect(readCassette(folder.file('c.jsonl')).calls[0]?.events.map(([ms]) => ms)).toEqual([500, 1000, 1500])
    const replayed = ask(replayModel(folder.file('c.jsonl'), { timing: 'recorded', clock }), request('a'))
    let done = false
    void replayed.then(() => (done = true))
    await clock.advance(1400)
    expect(done).toBe(false)
    await clock.advance(100)
    expect((await replayed).events).toEqual(pieces)
    const instant = await ask(replayModel(folder.file('c.jsonl'), { clock }), request('a'))
    expect(instant.events).toEqual(pieces)
  })

  it('a call that its reader stopped waits for the same stop, and fails if no signal can stop it', async () => {
    using folder = openFolder()
    const recorder = recordModel(scriptedModel([{ text: 'Hello', hang: true }]), folder.file('c.jsonl'))
    await ask(recorder, request('a'), AbortSignal.timeout(10))
    const controller = new AbortController()
    const asked = ask(replayModel(folder.file('c.jsonl')), request('a'), controller.signal)
    setTimeout(() => controller.abort('enough'), 5)
    expect((await asked).error).toBe('enough')
    const { error } = await ask(replayModel(folder.file('c.jsonl')), request('a'))
    expect(ParleyError.is(error, 'model-stream')).toBe(true)
  })

  it('recording replaces the calls of an earlier process, or appends to them', async () => {
    using folder = openFolder()
    const file = folder.file('c.jsonl')
    await ask(recordModel(scriptedModel(['a']), file), request('a'))
    const text = readFileSync(file, 'utf8')
    // Another path to the same text stands for another process.
    writeFileSync(folder.file('d.jsonl'), `${text}{"call":2,"mod`)
    await ask(recordModel(scriptedModel(['b']), { file: folder.file('d.jsonl'), existing: 'append' }), request('b'))
    expect(readCassette(folder.file('d.jsonl')).calls.map(({ call }) => call)).toEqual([1, 2])
    writeFileSync(folder.file('e.jsonl'), text)
    await ask(recordModel(scriptedModel(['b']), folder.file('e.jsonl')), request('b'))
    expect(readCassette(folder.file('e.jsonl')).calls.map(({ request: { messages } }) => messages)).toEqual([
      request('b').messages,
    ])
  })

  it('a model that is not called does not touch the file', () => {
    using folder = openFolder()
    recordModel(scriptedModel(['a']), folder.file('c.jsonl'))
    expect(existsSync(folder.file('c.jsonl'))).toBe(false)
  })
})

describe('a request that the cassette lacks', () => {
  async function recorded(file: string) {
    const recorder = recordModel(
      scriptedModel(() => 'ok'),
      file,
    )
    const tools = [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }]
    await ask(
      recorder,
      request('How is Oslo?', {
        system: [{ text: 'Be brief.\nBe kind.' }, { text: 'It is 10:00.', volatile: true }],
        tools,
      }),
    )
    await ask(recorder, request('Something else', { settings: { temperature: 1 } }))
    return { tools, system: [{ text: 'Be brief.\nBe kind.' }, { text: 'It is 11:00.', volatile: true }] }
  }

  it('a changed prompt fails with the line that changed in the most similar request', async () => {
    using folder = openFolder()
    const { tools, system } = await recorded(folder.file('c.jsonl'))
    const replay = replayModel(folder.file('c.jsonl'))
    const message = await failureOf(
      replay,
      request('How is Oslo?', { system: [{ text: 'Be brief.\nBe rude.' }, ...system.slice(1)], tools }),
    )
    expect(message).toContain('The most similar one is call 1')
    expect(message).toContain('system[0].text, line 2:\n    - Be kind.\n    + Be rude.')
    expect(message).not.toContain('volatile')
  })

  it('a changed message, tool and setting are named', async () => {
    using folder = openFolder()
    const { system } = await recorded(folder.file('c.jsonl'))
    const replay = replayModel(folder.file('c.jsonl'))
    const tools = [{ name: 'look', description: 'Looks twice.', inputSchema: { type: 'object' } }]
    const message = await failureOf(replay, request('How is Bergen?', { system, tools, settings: { seed: 1 } }))
    expect(message).toContain('messages[0].content[0].text:\n    - How is Oslo?\n    + How is Bergen?')
    expect(message).toContain('tools.look.description:\n    - Looks.\n    + Looks twice.')
    expect(message).toContain('settings.seed:\n    + 1')
  })

  it('a volatile part of the instructions and the order of tools are not compared', async () => {
    using folder = openFolder()
    const { tools, system } = await recorded(folder.file('c.jsonl'))
    const replay = replayModel(folder.file('c.jsonl'))
    expect((await ask(replay, request('How is Oslo?', { system, tools }))).error).toBeUndefined()
  })

  it('normalize removes what differs in every run from both requests', async () => {
    using folder = openFolder()
    const recorder = recordModel(
      scriptedModel(() => 'ok'),
      folder.file('c.jsonl'),
    )
    await ask(recorder, request('Today is 2026-01-01.'))
    const normalize = (asked: ReturnType<typeof request>) =>
      JSON.parse(JSON.stringify(asked).replaceAll(/\d{4}-\d\d-\d\d/g, 'DATE')) as typeof asked
    const replay = replayModel(folder.file('c.jsonl'), { normalize })
    expect((await ask(replay, request('Today is 2026-02-02.'))).error).toBeUndefined()
  })
})

describe('a file that is no cassette', () => {
  const header = '{"parley":"cassette","version":1,"masks":{"personalData":[],"patterns":[]}}\n'

  it.each([
    ['', 'the cassette is empty'],
    ['hello\n', 'it is not a cassette'],
    [
      '{"parley":"cassette","version":2}\n',
      'it has version 2 of the format, and this version of @parley/evals reads 1. Update',
    ],
    ['{"parley":"cassette","version":1}\n', "its first line has no valid 'masks'"],
    [
      '{"parley":"cassette","version":1,"masks":{"personalData":[],"patterns":[{"source":"(","flags":"g"}]}}\n',
      "no valid 'masks'",
    ],
    [`${header}{"call":1}\n`, "line 2 is damaged ('call' or 'model' is missing)"],
    [`${header}{"call":1,"mo\n{}\n`, 'line 2 is damaged'],
    [
      `${header}{"call":1,"model":"a/b","ms":1,"request":{"messages":[{}]},"events":[],"end":"finished"}\n`,
      'line 2 is damaged',
    ],
    [header, 'the cassette has no calls'],
  ])('replayModel rejects the file %j with one clear error', (text, message) => {
    using folder = openFolder()
    writeFileSync(folder.file('c.jsonl'), text)
    expect(() => replayModel(folder.file('c.jsonl'))).toThrow(message)
  })

  it('replayModel rejects a missing file with the path and what to do', () => {
    expect(() => replayModel('/nowhere/c.jsonl')).toThrow(
      'Cannot read /nowhere/c.jsonl: there is no such cassette. Record it with recordModel first.',
    )
  })

  it('every prefix of a cassette that ends within a line has the calls of its complete lines', async () => {
    using folder = openFolder()
    const file = folder.file('c.jsonl')
    const recorder = recordModel(
      scriptedModel(() => 'ok'),
      file,
    )
    for (const text of ['a', 'b', 'c']) await ask(recorder, request(text))
    const text = readFileSync(file, 'utf8')
    const first = text.indexOf('\n') + 1
    fc.assert(
      fc.property(fc.integer({ min: first, max: text.length }), length => {
        const cut = text.slice(0, length)
        writeFileSync(folder.file('cut.jsonl'), cut)
        const complete = cut
          .split('\n')
          .filter(line => line.startsWith('{"call"') && line.endsWith('}') && isJson(line))
        expect(readCassette(folder.file('cut.jsonl')).calls).toHaveLength(complete.length)
      }),
    )
  })

  it('recordModel rejects a second model with other masks, and a file that it cannot write', async () => {
    using folder = openFolder()
    const file = folder.file('c.jsonl')
    await ask(
      recordModel(
        scriptedModel(() => 'ok'),
        file,
      ),
      request('a'),
    )
    const other = await ask(
      recordModel(
        scriptedModel(() => 'ok'),
        { file, personalData: [] },
      ),
      request('a'),
    )
    expect(String(other.error)).toContain('is recorded with other values of personalData or patterns')
    appendFileSync(folder.file('plain'), '')
    const unwritable = await ask(
      recordModel(
        scriptedModel(() => 'ok'),
        folder.file('plain/c.jsonl'),
      ),
      request('a'),
    )
    expect(String(unwritable.error)).toContain('the call was not recorded')
    expect(() => recordModel(scriptedModel([]), { file, personalData: ['name' as 'ip'] })).toThrow("'name' is unknown")
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
