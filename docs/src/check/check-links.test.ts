import { expect, it } from 'vitest'
import { checkLinks } from './check-links.ts'

const ROOT = '/nowhere'
const target = { path: 'docs/b.md', text: '# Title\n\n## After a crash\n\n```sh\n# not a heading\n```\n' }

function messagesOf(text: string): readonly string[] {
  return checkLinks({ root: ROOT, documents: [{ path: 'docs/a.md', text }, target] }).map(
    ({ line, message }) => `${line} ${message}`,
  )
}

it('checkLinks accepts addresses, documents, headings and code', () => {
  expect(messagesOf('# A\n[x](https://x.example) [b](./b.md) [c](b.md#after-a-crash) [a](#a) `[d](e.md)`')).toEqual([])
})

it('checkLinks reports a missing file and a missing heading, with the line', () => {
  expect(messagesOf('# A\n\n[b](c.md)\n[c](./b.md#before) and [d](#no)\n[e](b.md#not-a-heading)')).toEqual([
    '3 the link c.md leads to no file',
    '4 docs/b.md has no heading for the link ./b.md#before',
    '4 docs/a.md has no heading for the link #no',
    '5 docs/b.md has no heading for the link b.md#not-a-heading',
  ])
})
