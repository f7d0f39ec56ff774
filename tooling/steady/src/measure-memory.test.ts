import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { measureMemory } from './measure-memory.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-steady-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

interface FakeProcess {
  readonly pid: number
  readonly parent: number
  readonly session: number
  readonly files: Readonly<Record<string, string>>
}

function add({ pid, parent, session, files }: FakeProcess): void {
  mkdirSync(join(folder, String(pid)))
  writeFileSync(join(folder, String(pid), 'stat'), `${pid} (a ) b) S ${parent} ${session} ${session} 0 -1 4194304\n`)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, String(pid), name), text)
}

const share = (kilobytes: number) => ({ smaps_rollup: `Rss: 900 kB\nPss:  ${kilobytes} kB\nPss_Dirty: 7 kB\n` })

it('measureMemory adds the shares of a process, its descendants and its session', () => {
  add({ pid: 1, parent: 0, session: 1, files: share(500) })
  add({ pid: 20, parent: 1, session: 20, files: share(1) })
  add({ pid: 19, parent: 21, session: 19, files: share(2) })
  add({ pid: 21, parent: 20, session: 21, files: share(4) })
  add({ pid: 22, parent: 1, session: 20, files: share(8) })
  expect(measureMemory(20, folder)).toBe(15 * 1024)
})

it('measureMemory takes the resident memory of a process whose share it must not read', () => {
  add({ pid: 20, parent: 1, session: 20, files: { status: 'Name: a\nVmRSS:\t  64 kB\n' } })
  expect(measureMemory(20, folder)).toBe(64 * 1024)
})

it('measureMemory returns 0 for a process that has ended, and on a system without /proc', () => {
  expect(measureMemory(20, folder)).toBe(0)
  expect(measureMemory(20, join(folder, 'missing'))).toBe(0)
})
