import { expect, it } from 'vitest'
import { createMarkdown, MarkdownWriter } from './markdown-writer.ts'

/** The pieces that a writer prints for a text that arrives in pieces of `size` characters. */
function printed(text: string, size: number): string[] {
  const pieces: string[] = []
  const writer = new MarkdownWriter(
    markdown => markdown.trimEnd(),
    piece => void pieces.push(piece),
  )
  for (let at = 0; at < text.length; at += size) writer.text(text.slice(at, at + size))
  writer.finish()
  return pieces
}

const TEXT = 'One\nline.\n\n- a\n\n- b\n\nAfter.\n\n```js\nx\n\ny\n```\n\nEnd.'

it.each([1, 3, 7, 1_000])('MarkdownWriter prints whole blocks if the text arrives in pieces of %i characters', size => {
  const pieces = printed(TEXT, size)
  expect(pieces.join('').replaceAll(/\n+/g, '\n')).toBe(`${TEXT}\n`.replaceAll(/\n+/g, '\n'))
  for (const piece of pieces) expect(piece.split('```').length % 2).toBe(1)
})

it('MarkdownWriter prints a block before the answer ends', () => {
  const pieces: string[] = []
  const writer = new MarkdownWriter(
    markdown => markdown.trim(),
    piece => void pieces.push(piece),
  )
  writer.text('One.\n\nTwo')
  expect(pieces).toEqual(['One.\n'])
})

it('createMarkdown wraps words at the width of the terminal', async () => {
  const render = await createMarkdown({ columns: 40, style: (_, text) => text })
  const lines = render(`**Bold** ${'word '.repeat(40)}`).split('\n')
  // oxlint-disable-next-line no-control-regex -- styles take no columns
  const widths = lines.map(line => line.replaceAll(/\u001b\[[\d;]*m/g, '').length)
  expect(Math.max(...widths)).toBeLessThanOrEqual(40)
  expect(render('**Bold**')).not.toContain('**')
})
