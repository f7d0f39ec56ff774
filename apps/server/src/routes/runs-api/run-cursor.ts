import type { RunRecord } from '@parley/core'
import { invalidParameter } from '../../problem/problem.ts'

type Position = Pick<RunRecord, 'startedAt' | 'runId'>

/** Writes the position of a run in a list of runs. */
export function writeCursor({ startedAt, runId }: Position): string {
  return Buffer.from(`${startedAt} ${runId}`).toString('base64url')
}

/** Reads a position that `writeCursor` wrote. @throws Problem 400 if the text is another one. */
export function readCursor(cursor: string): Position {
  const [, startedAt, runId] = /^(\d{1,16}) (.+)$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (startedAt === undefined || runId === undefined) throw invalidParameter('after: must be `next` of an earlier page')
  return { startedAt: Number(startedAt), runId }
}
