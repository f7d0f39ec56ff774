import { describe, expect, it } from 'vitest'
import { RunAttempt } from './run-attempt.ts'
import { RunAttempts } from './run-attempts.ts'

/** An attempt whose run has begun and whose client has left. */
function leftAttempt(runId?: string) {
  const attempts = new RunAttempts({ windowMs: 1_000, now: () => 0 })
  const first = new RunAttempt({ hash: 'h', runId })
  attempts.add(first)
  first.begin({ runId: 'r', fromSeq: 1 })
  first.leave()
  return { attempts, first, again: () => new RunAttempt({ hash: 'h', runId }) }
}

describe('RunAttempts', () => {
  it('an equal request does not repeat a run that was cancelled', () => {
    const { attempts, first, again } = leftAttempt()
    attempts.end(first, 'cancelled')
    expect(attempts.find(again())).toBeUndefined()
  })

  it('an equal request repeats a run that completed after its client had left', () => {
    const { attempts, first, again } = leftAttempt()
    attempts.end(first, 'completed')
    expect(attempts.find(again())).toBe(first)
  })

  it('a request with the idempotency key of a cancelled run is answered by this run', () => {
    const { attempts, first, again } = leftAttempt('key')
    attempts.end(first, 'cancelled')
    expect(attempts.find(again())).toBe(first)
  })

  it('a search does not look at the equal attempts whose clients have their answers', () => {
    const attempts = new RunAttempts({ windowMs: 1_000, now: () => 0 })
    let looks = 0
    for (let index = 0; index < 100; index++) {
      const answered = new RunAttempt({ hash: 'h' })
      attempts.add(answered)
      answered.begin({ runId: `r${index}`, fromSeq: 1 })
      Object.defineProperty(answered, 'run', { get: () => looks++ })
      attempts.end(answered, 'completed')
    }
    expect(attempts.find(new RunAttempt({ hash: 'h' }))).toBeUndefined()
    expect(looks).toBe(0)
  })

  it('two clients that lost the same answer are answered by two runs, and a third one by a new run', () => {
    const attempts = new RunAttempts({ windowMs: 1_000, now: () => 0 })
    const lost = ['first', 'second'].map(runId => {
      const attempt = new RunAttempt({ hash: 'h' })
      attempts.add(attempt)
      attempt.begin({ runId, fromSeq: 1 })
      attempt.leave()
      return attempt
    })
    const again = [1, 2, 3].map(() => attempts.find(new RunAttempt({ hash: 'h' })))
    expect(again).toEqual([...lost, undefined])
  })

  it('an attempt whose repetition was lost too is repeated again', () => {
    const { attempts, first, again } = leftAttempt()
    const second = again()
    expect(attempts.find(second)).toBe(first)
    expect(attempts.find(again())).toBeUndefined()
    second.leave()
    expect(attempts.find(again())).toBe(first)
  })

  it('a retry that the client names repeats an attempt whose client has its answer', () => {
    const attempts = new RunAttempts({ windowMs: 1_000, now: () => 0 })
    const first = begun(attempts, 'r')
    attempts.end(first, 'completed')
    expect(attempts.find(new RunAttempt({ hash: 'h' }))).toBeUndefined()
    expect(attempts.find(new RunAttempt({ hash: 'h', isRetry: true }))).toBe(first)
  })

  it('a request whose run has not begun is not repeated', () => {
    const attempts = new RunAttempts({ windowMs: 1_000, now: () => 0 })
    const first = new RunAttempt({ hash: 'h' })
    attempts.add(first)
    first.leave()
    expect(attempts.find(new RunAttempt({ hash: 'h' }))).toBeUndefined()
    first.begin({ runId: 'r', fromSeq: 1 })
    expect(attempts.find(new RunAttempt({ hash: 'h' }))).toBe(first)
  })

  it('an attempt whose client left before it was added is repeated', () => {
    const attempts = new RunAttempts({ windowMs: 1_000, now: () => 0 })
    const first = new RunAttempt({ hash: 'h' })
    first.leave()
    attempts.add(first)
    first.begin({ runId: 'r', fromSeq: 1 })
    expect(attempts.find(new RunAttempt({ hash: 'h' }))).toBe(first)
  })

  it('an attempt whose stream the server ended is not repeated, because its client did not leave', () => {
    const attempts = new RunAttempts({ windowMs: 1_000, now: () => 0 })
    const first = begun(attempts, 'r')
    first.release()
    first.leave()
    expect(first.left.aborted).toBe(false)
    expect(attempts.find(new RunAttempt({ hash: 'h' }))).toBeUndefined()
  })

  it('an attempt whose client received a failure is repeated by every equal request', () => {
    const attempts = new RunAttempts({ windowMs: 1_000, now: () => 0 })
    const [failed, told] = [begun(attempts, 'failed'), begun(attempts, 'told')]
    attempts.end(told, 'completed')
    told.fail()
    expect([1, 2].map(() => attempts.find(new RunAttempt({ hash: 'h' })))).toEqual([told, told])
    attempts.forget(told)
    attempts.end(failed, 'failed')
    expect([1, 2].map(() => attempts.find(new RunAttempt({ hash: 'h' })))).toEqual([failed, failed])
  })

  it('a forgotten attempt is not repeated, even if its client receives a failure later', () => {
    const attempts = new RunAttempts({ windowMs: 1_000, now: () => 0 })
    const [first, other] = [begun(attempts, 'first'), begun(attempts, 'other')]
    first.leave()
    attempts.end(first, 'cancelled')
    expect(attempts.find(new RunAttempt({ hash: 'h' }))).toBeUndefined()
    first.fail()
    expect(attempts.find(new RunAttempt({ hash: 'h' }))).toBeUndefined()
    other.leave()
    expect(attempts.find(new RunAttempt({ hash: 'h' }))).toBe(other)
  })
})

/** Adds an attempt that has begun a run. */
function begun(attempts: RunAttempts, runId: string, key?: string): RunAttempt {
  const attempt = new RunAttempt({ hash: 'h', runId: key })
  attempts.add(attempt)
  attempt.begin({ runId, fromSeq: 1 })
  return attempt
}

describe('RunAttempts and refused requests', () => {
  it('a request that began its run is not refused', () => {
    const attempt = begun(new RunAttempts({ windowMs: 1_000, now: () => 0 }), 'r')
    attempt.settle()
    expect(attempt.refused).toBe(false)
  })

  it('a retry of a refused request begins a new run, and each refusal counts for one retry', async () => {
    const attempts = new RunAttempts({ windowMs: 1_000, now: () => 0 })
    const refused = new RunAttempt({ hash: 'h' })
    attempts.add(refused)
    refused.settle()
    await refused.begun
    const other = begun(attempts, 'other')
    other.leave()
    const retry = (): RunAttempt => new RunAttempt({ hash: 'h', isRetry: true })
    expect(attempts.find(retry())).toBeUndefined()
    expect(attempts.find(retry())).toBe(other)
  })

  it('the idempotency key of a refused request is free', async () => {
    const attempts = new RunAttempts({ windowMs: 1_000, now: () => 0 })
    const refused = new RunAttempt({ hash: 'h', runId: 'key' })
    attempts.add(refused)
    expect(attempts.find(new RunAttempt({ hash: 'h', runId: 'key' }))).toBe(refused)
    refused.settle()
    await refused.begun
    expect(attempts.find(new RunAttempt({ hash: 'h', runId: 'key' }))).toBeUndefined()
  })
})

describe('the window of RunAttempts', () => {
  it('an attempt is repeated until the window after its last change has passed', () => {
    let now = 0
    const attempts = new RunAttempts({ windowMs: 1_000, now: () => now })
    const key = begun(attempts, 'r', 'key')
    key.leave()
    now = 900
    attempts.end(key, 'completed')
    now = 1_899
    expect(attempts.find(new RunAttempt({ hash: 'h', runId: 'key' }))).toBe(key)
    now = 1_900
    expect(attempts.find(new RunAttempt({ hash: 'h', runId: 'key' }))).toBeUndefined()
  })

  it('an attempt whose run has not ended is remembered for longer than the window', () => {
    let now = 0
    const attempts = new RunAttempts({ windowMs: 1_000, now: () => now })
    const key = begun(attempts, 'r', 'key')
    now = 5_000
    expect(attempts.find(new RunAttempt({ hash: 'h', runId: 'key' }))).toBe(key)
  })

  it('without a window, only idempotency keys of running requests are remembered', () => {
    const attempts = new RunAttempts({ windowMs: 0, now: () => 0 })
    const [key, plain] = [begun(attempts, 'r', 'key'), begun(attempts, 'other')]
    plain.leave()
    expect(attempts.find(new RunAttempt({ hash: 'h' }))).toBeUndefined()
    expect(attempts.find(new RunAttempt({ hash: 'h', runId: 'key' }))).toBe(key)
    attempts.end(key, 'completed')
    expect(attempts.find(new RunAttempt({ hash: 'h', runId: 'key' }))).toBeUndefined()
  })
})
