import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fingerprintOf, readLastResult, writeLastResult } from './last-result.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-last-result-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('fingerprintOf', () => {
  const environment = { PATH: process.env['PATH'] }
  const git = (...args: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder, stdio: 'pipe' })
  const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text)

  beforeEach(() => {
    git('init', '-q')
    write('.gitignore', 'ignored\n')
    write('known', '1')
    git('add', '.')
    git('commit', '-qm', 'first')
  })

  it('fingerprintOf changes with a known file and with a new one, and not with an ignored one or a commit', async () => {
    const first = await fingerprintOf(folder, environment)
    expect(first).toBeTypeOf('string')
    write('ignored', '1')
    expect(await fingerprintOf(folder, environment)).toBe(first)
    write('new', '1')
    const second = await fingerprintOf(folder, environment)
    expect(second).not.toBe(first)
    git('add', '.')
    git('commit', '-qm', 'second')
    expect(await fingerprintOf(folder, environment)).toBe(second)
    write('known', '2')
    expect(await fingerprintOf(folder, environment)).not.toBe(second)
  })

  it('fingerprintOf changes with a variable that tests read, and not with another one', async () => {
    const first = await fingerprintOf(folder, environment)
    expect(await fingerprintOf(folder, { ...environment, EDITOR: 'vi' })).toBe(first)
    expect(await fingerprintOf(folder, { ...environment, PARLEY_SEED: '5' })).not.toBe(first)
  })

  it('fingerprintOf leaves the index of the repository as it is', async () => {
    write('new', '1')
    await fingerprintOf(folder, environment)
    expect(execFileSync('git', ['status', '--short'], { cwd: folder, encoding: 'utf8' })).toBe('?? new\n')
  })

  it('fingerprintOf returns undefined outside of a repository', async () => {
    rmSync(path.join(folder, '.git'), { recursive: true })
    expect(await fingerprintOf(folder, { ...environment, GIT_CEILING_DIRECTORIES: tmpdir() })).toBeUndefined()
  })
})

it('readLastResult returns what was written for the suite, and undefined for another suite', async () => {
  const result = { fingerprint: 'f', tests: 5, seconds: 2, at: 1 }
  await writeLastResult('test', result, folder)
  expect(await readLastResult('test', folder)).toEqual(result)
  expect(await readLastResult('test:deep', folder)).toBeUndefined()
})
