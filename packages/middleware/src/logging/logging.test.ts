import { expect, it } from 'vitest'
import { callEcho, setup } from '../__fixtures__/set-up-agent.ts'
import { logging, type Logger } from './logging.ts'

function recorder() {
  const lines: { level: string; message: string; fields: object }[] = []
  const to = (level: string) => (message: string, fields: object) => void lines.push({ level, message, fields })
  const logger: Logger = { debug: to('debug'), info: to('info'), warn: to('warn'), error: to('error') }
  return { lines, logger }
}

it('logging writes a line for each step with ids and numbers and without content', async () => {
  const { lines, logger } = recorder()
  const { run } = setup([callEcho('my secret'), 'Done, secret.'], [logging({ logger })])
  const { runId } = await run('a secret').result
  expect(lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
    'info run started',
    'debug message appended',
    'info model answered',
    'debug message appended',
    'info tool started',
    'info tool ended',
    'info model answered',
    'debug message appended',
    'info run ended',
  ])
  expect(lines.every(({ fields }) => 'runId' in fields && fields.runId === runId)).toBe(true)
  expect(JSON.stringify(lines)).not.toContain('secret')
  expect(lines.at(-1)?.fields).toMatchObject({ status: 'completed', tokens: 30 })
})

it('logging writes arguments, results and messages only if content is true', async () => {
  const { lines, logger } = recorder()
  const { run } = setup([callEcho('hello'), 'Done.'], [logging({ logger, content: true })])
  await run('hi').result
  expect(lines.map(({ fields }) => fields)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ text: 'hi' }),
      expect.objectContaining({ input: { text: 'hello' } }),
      expect.objectContaining({ result: 'hello' }),
    ]),
  )
})

it('logging writes failures with level warn or error and their code', async () => {
  const { lines, logger } = recorder()
  const failing = { error: { code: 'model-auth', provider: 'p', detail: 'bad key' } } as const
  await setup([{ toolCalls: [{ name: 'nope' }] }, failing], [logging({ logger })]).run().result
  expect(lines.filter(({ level }) => level === 'warn' || level === 'error')).toMatchObject([
    { message: 'tool failed', fields: { name: 'nope', code: 'tool-unknown' } },
    { message: 'model call failed', fields: { code: 'model-auth' } },
    { level: 'error', message: 'run ended', fields: { code: 'model-auth' } },
  ])
})

it('logging distinguishes a model call that is retried later from one that falls back to another model', async () => {
  const { lines, logger } = recorder()
  const error = { code: 'model-overloaded', provider: 'p', detail: '' } as const
  const fallback = { from: 'p/large', to: 'p/small' }
  const events = [
    { type: 'retry', attempt: 1, delayMs: 5, error },
    { type: 'retry', attempt: 1, delayMs: 0, error, fallback },
    { type: 'finish', reason: 'stop' },
  ] as const
  await setup([{ events }], [logging({ logger })]).run().result
  expect(lines.filter(({ level }) => level === 'warn')).toMatchObject([
    { message: 'model call waits', fields: { attempt: 1, delayMs: 5, code: error.code } },
    { message: 'model call goes to another model', fields: { attempt: 1, code: error.code, ...fallback } },
  ])
})

it('logging rejects an unknown option', () => {
  expect(() => logging({ contents: true } as object)).toThrow(
    "logging.contents: is an unknown option; did you mean 'content'?",
  )
})
