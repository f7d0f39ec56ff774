import { execFileSync } from 'node:child_process'
import { open, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTempDirectory } from '../__fixtures__/open-temp-directory.ts'
import { checkOpened, confirmedPath, OPEN_FLAGS } from './check-opened.ts'
import { createPathJudge } from './path-judge.ts'

describe('checkOpened', () => {
  it('checkOpened judges the opened file, not the requested name', async () => {
    await using temp = await openTempDirectory()
    await temp.write('in/a.txt', '')
    const elsewhere = await temp.write('out/a.txt', '')
    const judge = createPathJudge({ roots: [join(temp.path, 'in')], denied: ['secret'] })
    await using handle = await open(elsewhere, OPEN_FLAGS)
    expect(checkOpened(handle.fd, join(temp.path, 'in/a.txt'), judge)).toBe('outside')
    await using good = await open(join(temp.path, 'in/a.txt'), OPEN_FLAGS)
    expect(checkOpened(good.fd, join(temp.path, 'in/a.txt'), judge)).toBeUndefined()
    await using directory = await open(temp.path, OPEN_FLAGS)
    expect(checkOpened(directory.fd, temp.path, judge)).toBe('no-file')
  })

  it('OPEN_FLAGS make the system refuse to open a link in place of a file', async () => {
    await using temp = await openTempDirectory()
    await temp.link('link', '/etc/passwd')
    await expect(open(join(temp.path, 'link'), OPEN_FLAGS)).rejects.toMatchObject({ code: 'ELOOP' })
  })

  it('OPEN_FLAGS open a pipe in place of a file without blocking', async () => {
    await using temp = await openTempDirectory()
    const pipe = join(temp.path, 'pipe')
    execFileSync('mkfifo', [pipe])
    await using handle = await open(pipe, OPEN_FLAGS)
    expect(checkOpened(handle.fd, pipe, createPathJudge({ roots: [temp.path], denied: [] }))).toBe('no-file')
  })
})

describe('confirmedPath', () => {
  it('confirmedPath returns a path only while it names the open file', async () => {
    await using temp = await openTempDirectory()
    const path = await temp.write('a.txt', '')
    await using handle = await open(path, OPEN_FLAGS)
    expect(confirmedPath(handle.fd, path)).toBe(path)
    await rename(path, join(temp.path, 'b.txt'))
    expect(confirmedPath(handle.fd, path)).toBeUndefined()
    await temp.write('a.txt', 'another')
    expect(confirmedPath(handle.fd, path)).toBeUndefined()
    await unlink(path)
    await temp.link('a.txt', 'b.txt')
    expect(confirmedPath(handle.fd, path)).toBeUndefined()
  })
})
