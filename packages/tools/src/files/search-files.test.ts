import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTempDirectory } from '../__fixtures__/open-temp-directory.ts'
import type { GrepReply } from './grep-request.ts'
import { searchFiles } from './search-files.ts'

describe('searchFiles', () => {
  it('searchFiles checks the opened file itself and skips one that lies outside the roots', async () => {
    await using temp = await openTempDirectory()
    await temp.write('in/a.txt', 'needle')
    const outside = await temp.write('out/a.txt', 'needle')
    await temp.link('in/link.txt', outside)
    const rules = { roots: [join(temp.path, 'in')], denied: [] }
    for (const [path, matches, refused] of [
      [join(temp.path, 'in/a.txt'), 1, 0],
      [outside, 0, 1],
      [join(temp.path, 'in/link.txt'), 0, 1],
    ] as const) {
      const replies: GrepReply[] = []
      const limits = { maxMatches: 9, maxOutputCharacters: 999 }
      const request = {
        rules,
        start: { path, shown: 'f' },
        search: { pattern: 'needle', flags: '', contextLines: 0 },
        globs: [],
        ...limits,
      }
      searchFiles(request, reply => replies.push(reply))
      expect(replies.at(-1)).toMatchObject({ type: 'done', counts: { matches, refused } })
    }
  })
})
