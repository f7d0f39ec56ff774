import type { RunStatus } from '@parley/core'

const WORDS: Readonly<Record<RunStatus, { tone: string; word: string }>> = {
  running: { tone: 'live', word: 'running' },
  suspended: { tone: 'wait', word: 'waiting' },
  completed: { tone: 'good', word: 'completed' },
  limit: { tone: 'bad', word: 'limit' },
  cancelled: { tone: 'plain', word: 'cancelled' },
  rejected: { tone: 'bad', word: 'rejected' },
  failed: { tone: 'bad', word: 'failed' },
}

/** The status of a run: a word with a mark. */
export function Status({ status }: { readonly status: RunStatus }) {
  const { tone, word } = WORDS[status]
  return (
    <span className="status" data-tone={tone}>
      {word}
    </span>
  )
}
