import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readFileTimes, secondsOf, writeFileTimes } from './file-times.ts'

const ROOT = path.join(import.meta.dirname, '../../..')

it('every file of the table of long files exists', () => {
  const names = Object.keys(readFileTimes(path.join(ROOT, 'no-such-file')))
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter(name => !existsSync(path.join(ROOT, name)))).toEqual([])
})

it('the times of a run are kept beside those of files that did not run', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-file-times-'))
  const file = path.join(folder, 'times/all.json')
  writeFileTimes({ a: 3, b: 4 }, file)
  writeFileTimes({ b: 5 }, file)
  const times = readFileTimes(file)
  expect([secondsOf(times, 'a'), secondsOf(times, 'b'), secondsOf(times, 'never-run')]).toEqual([3, 5, 0.5])
  rmSync(folder, { recursive: true })
})
