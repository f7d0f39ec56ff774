import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openTempDirectory } from '../__fixtures__/open-temp-directory.ts'
import { createPathJudge } from './path-judge.ts'
import { replaceFile } from './replace-file.ts'

it('replaceFile checks the opened directory itself and does not write to one outside the roots', async () => {
  await using inside = await openTempDirectory()
  await using outside = await openTempDirectory()
  await outside.write('sub/theirs.txt', 'theirs')
  await inside.link('link', outside.path)
  const judge = createPathJudge({ roots: [inside.path], denied: [] })
  expect(await replaceFile(join(inside.path, 'link/sub/theirs.txt'), 'mine', { judge })).toBe('outside')
  expect(await replaceFile(join(inside.path, 'link/new.txt'), 'mine', { judge })).toBe('no-directory')
  expect(await readFile(join(outside.path, 'sub/theirs.txt'), 'utf8')).toBe('theirs')
  expect(await readdir(outside.path)).toEqual(['sub'])
})

it('replaceFile replaces a file only if it is still in the expected state', async () => {
  await using inside = await openTempDirectory()
  const file = await inside.write('a.txt', 'one')
  const judge = createPathJudge({ roots: [inside.path], denied: [] })
  const expected = await stat(file)
  expect(await replaceFile(file, 'two', { judge, expected })).toBeUndefined()
  expect(await replaceFile(file, 'three', { judge, expected })).toBe('changed')
  expect(await replaceFile(join(inside.path, 'gone.txt'), 'x', { judge, expected })).toBe('changed')
  expect(await readFile(file, 'utf8')).toBe('two')
})
