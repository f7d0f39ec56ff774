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
})
