import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openShell } from '../__fixtures__/open-shell.ts'
import { coderPolicy } from '../coder-policy.ts'

it('a coding agent works with a repository of its own from the first commit to a merge', async () => {
  await using scene = await openShell({ policy: coderPolicy })
  const { temp } = scene
  const git = async (...args: readonly string[]): Promise<string> => {
    const { stdout, stderr, exitCode } = await scene.facts(['git', ...args])
    expect([args, exitCode, stderr]).toEqual([args, 0, expect.any(String)])
    return stdout
  }
  await git('init', '-q', '-b', 'main')
  await git('config', 'user.name', 'me')
  await git('config', 'user.email', 'me@host.test')
  await temp.write('a.txt', 'one\n')
  await git('add', '.')
  await git('commit', '-qm', 'first')
  await git('checkout', '-q', '-b', 'other')
  await temp.write('b.txt', 'two\n')
  await git('add', 'b.txt')
  await git('commit', '-q', '-m', 'second')
  await git('checkout', '-q', 'main')
  expect(existsSync(join(temp.path, 'b.txt'))).toBe(false)
  await git('merge', '-q', 'other')
  expect(existsSync(join(temp.path, 'b.txt'))).toBe(true)
  await temp.write('a.txt', 'changed\n')
  await git('checkout', '-q', '--', 'a.txt')
  expect(readFileSync(join(temp.path, 'a.txt'), 'utf8')).toBe('one\n')
  await temp.write('a.txt', 'changed\n')
  await git('stash')
  await git('stash', 'pop')
  await git('reset', '-q', '--hard', 'HEAD~1')
  await git('tag', 'v1')
  await git('rebase', '-q', 'main')
  expect(await git('log', '--oneline', 'main')).toContain('first')
  expect(await git('tag', '-l')).toBe('v1\n')
})
