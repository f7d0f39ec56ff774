import { describe, expect, it } from 'vitest'
import { createChunkQueue } from './create-chunk-queue.ts'

function open() {
  const told: string[] = []
  const tell = (what: string) => (): void => void told.push(what)
  return { told, queue: createChunkQueue({ resume: tell('resume'), cancel: tell('cancel') }) }
}

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values)

describe('createChunkQueue', () => {
  it('hands over what waits, then what comes, then the end', async () => {
    const { queue } = open()
    queue.push(bytes(1))
    expect(await queue.read()).toEqual({ done: false, value: bytes(1) })
    const pending = queue.read()
    queue.push(bytes(2))
    expect(await pending).toEqual({ done: false, value: bytes(2) })
    const last = queue.read()
    queue.end()
    queue.push(bytes(3))
    expect(await last).toEqual({ done: true, value: undefined })
    expect(await queue.read()).toEqual({ done: true, value: undefined })
  })

  it('asks the connection to wait for a slow reader, and to go on when all is read, once', async () => {
    const { queue, told } = open()
    const goesOn = Array.from({ length: 20 }, (_, chunk) => queue.push(bytes(chunk)))
    expect(goesOn.lastIndexOf(true)).toBe(14)
    for (let chunk = 0; chunk < 19; chunk++) await queue.read()
    expect(told).toEqual([])
    expect(await queue.read()).toEqual({ done: false, value: bytes(19) })
    expect(told).toEqual(['resume'])
    expect(queue.push(bytes(20))).toBe(true)
  })

  it('gives what came before a failure, then fails', async () => {
    const { queue } = open()
    queue.push(bytes(1))
    queue.end({ error: new Error('torn') })
    expect(await queue.read()).toEqual({ done: false, value: bytes(1) })
    await expect(queue.read()).rejects.toThrow('torn')
  })

  it('lets go of the connection when the reader leaves, once, and not after the end', async () => {
    const { queue, told } = open()
    const pending = queue.read()
    await queue.cancel()
    await queue.cancel()
    expect(await pending).toMatchObject({ done: true })
    expect(told).toEqual(['cancel'])
    const ended = open()
    ended.queue.end()
    await ended.queue.cancel()
    expect(ended.told).toEqual([])
  })
})
