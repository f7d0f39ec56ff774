import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { isWorkerGone, thisWorker } from './worker.ts'

describe('isWorkerGone', () => {
  const place = thisWorker.split('/').at(-1)
  const { pid: dead } = spawnSync(process.execPath, ['-e', ''])

  it('isWorkerGone knows a dead process of this machine, whatever its host name was', () => {
    expect(isWorkerGone(thisWorker)).toBe(false)
    expect(isWorkerGone(`this-host/${dead}/${place}`)).toBe(true)
    expect(isWorkerGone(`renamed/${dead}/${place}`)).toBe(true)
  })

  it.each([`localhost/${dead}`, `localhost/${dead}/0123456789ab`, 'replica-7', ''])(
    'isWorkerGone leaves %j to its lease, because its process ids may be of another container',
    worker => {
      expect(isWorkerGone(worker)).toBe(false)
    },
  )
})
