import { describe, expect, it } from 'vitest'
import { createChunkQueue } from './create-chunk-queue.ts'

function open() {
  const told: string[] = []
  const tell = (what: string) => (): void => void told.push(what)
  return { told, queue: createChunkQueue({ resume: tell('resume'), cancel: tell('cancel') }) }
}

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values)

describe('createChunkQueue', () => {
  it('the chunk queue hands over waiting chunks, then new chunks, then the end', async () => {
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

  it('the chunk queue pauses the connection for a slow reader, and resumes it once when all chunks are read', async () => {
    const { queue, told } = open()
    const goesOn = Array.from({ length: 20 }, (_, chunk) => queue.push(bytes(chunk)))
    expect(goesOn.lastIndexOf(true)).toBe(14)
    for (let chunk = 0; chunk < 19; chunk++) await queue.read()
    expect(told).toEqual([])
    expect(await queue.read()).toEqual({ done: false, value: bytes(19) })
    expect(told).toEqual(['resume'])
    expect(queue.push(bytes(20))).toBe(true)
  })

  it('the chunk queue hands over the chunks before a failure, then fails', async () => {
    const { queue } = open()
    queue.push(bytes(1))
    queue.end({ error: new Error('torn') })
    expect(await queue.read()).toEqual({ done: false, value: bytes(1) })
    await expect(queue.read()).rejects.toThrow('torn')
  })

  it('the chunk queue drops the chunks that were not read when the reader cancels', async () => {
    const { queue } = open()
    queue.push(bytes(1))
    await queue.cancel()
    expect(await queue.read()).toEqual({ done: true, value: undefined })
    expect(queue.push(bytes(2))).toBe(true)
    expect(await queue.read()).toEqual({ done: true, value: undefined })
  })

  it('the chunk queue releases the connection once if the reader cancels, and not after the end', async () => {
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
