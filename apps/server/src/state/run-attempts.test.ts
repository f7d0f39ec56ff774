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
})
